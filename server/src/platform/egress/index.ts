// The only way out: one HTTP client, and one dialer for LDAP and SMTP, that cannot be led to addresses inside.
// Security rule S45, contract 8.1 and 10.1 (GATEHOUSE_EGRESS_ALLOW); address ranges from the IANA special-purpose registries.
// Called by everything that talks to a host named by a realm: key sets, metadata, webhooks, mail, directories, breach lists.
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { dial, secure } from './dial.ts'
import { EgressError, type EgressReason } from './errors.ts'
import { createHttpClient, defaultLimits, type EgressRequest, type EgressResponse, type HttpLimits } from './http.ts'
import { createResolver, type Lookup } from './resolve.ts'
import { type EgressRule, judgeTarget } from './rules.ts'
import { type DialTarget, parseDialTarget, parseUrlTarget } from './targets.ts'

export { EgressError, type EgressReason } from './errors.ts'
export type { EgressRequest, EgressResponse } from './http.ts'
export type { Lookup } from './resolve.ts'
export { type EgressRule, parseEgressRule } from './rules.ts'
export type { DialTarget } from './targets.ts'

export interface EgressOptions {
  allow: EgressRule[]
  /** Replaces the system's name lookup. */
  lookup?: Lookup
  /** PEM certificates to trust instead of the system's. */
  ca?: string[]
  limits?: Partial<HttpLimits>
}

export interface DialRequest extends DialTarget {
  timeoutMs?: number
  /** PEM certificates this one server is trusted by, instead of the system's. */
  ca?: string[]
  /** What to speak, offered in the TLS handshake. */
  alpn?: string[]
}

export type EgressCheck = { ok: true } | { ok: false; reason: EgressReason }

export interface Egress {
  fetch(url: string, options?: EgressRequest): Promise<EgressResponse>
  /** A connected socket; with tls STARTTLS a bare one, which the caller hands to `upgrade` after the protocol's own word. */
  connect(request: DialRequest): Promise<Socket>
  upgrade(socket: Socket, options: { host: string; ca?: string[]; timeoutMs?: number }): Promise<TLSSocket>
  /** For saving a setting: what can be said without a name lookup. Passing here is no promise for connect time. */
  check(target: string | DialTarget): EgressCheck
  close(): Promise<void>
}

export function createEgress(options: EgressOptions): Egress {
  const dialer = { rules: options.allow, resolve: createResolver(options.lookup) }
  const limits = { ...defaultLimits, ...options.limits }
  const http = createHttpClient(dialer, options.ca, limits)

  return {
    fetch: http.fetch,
    close: http.close,
    async connect({ timeoutMs = limits.connectTimeoutMs, ca = options.ca, alpn = [], ...request }) {
      const target = parseDialTarget(request)
      if (!target) throw new EgressError('bad_url')
      const deadlineMs = performance.now() + timeoutMs
      const socket = await dial(dialer, target, deadlineMs)
      return request.tls === 'TLS' ? await secure(socket, { host: target.host, ca, alpn }, deadlineMs) : socket
    },
    upgrade(socket, { host, ca = options.ca, timeoutMs = limits.connectTimeoutMs }) {
      return secure(socket, { host, ca }, performance.now() + timeoutMs)
    },
    check(place) {
      const target = typeof place === 'string' ? parseUrlTarget(place)?.target : parseDialTarget(place)
      const reason = target ? judgeTarget(dialer.rules, target) : 'bad_url'
      return reason ? { ok: false, reason } : { ok: true }
    },
  }
}
