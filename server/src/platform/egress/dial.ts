import net from 'node:net'
import tls from 'node:tls'
import { parseAddress } from './addresses.ts'
import { EgressError } from './errors.ts'
import type { Lookup, ResolvedAddress } from './resolve.ts'
import { type EgressRule, judgeAddress, judgeTarget } from './rules.ts'
import type { Target } from './targets.ts'

export interface Dialer {
  rules: EgressRule[]
  resolve: Lookup
}

export interface TlsOptions {
  host: string
  /** PEM certificates to trust instead of the system's; the system's can be extended with NODE_EXTRA_CA_CERTS. */
  ca?: string[] | undefined
  alpn?: string[]
}

/** Ends the wait at the deadline; `abandon` frees what the work holds. */
export async function within<T>(work: Promise<T>, deadlineMs: number, abandon: () => void): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new EgressError('timeout')), Math.max(0, deadlineMs - performance.now()))
  })
  try {
    return await Promise.race([work, late])
  } catch (error) {
    abandon()
    // The loser of the race may still fail; nobody is left to hear it.
    work.catch(() => {})
    throw error
  } finally {
    clearTimeout(timer)
  }
}

function judgeOrThrow(rules: EgressRule[], target: Target, addressText: string): void {
  const address = parseAddress(addressText)
  const reason = address ? judgeAddress(rules, target, address) : 'blocked_address'
  if (reason) throw new EgressError(reason)
}

/** Every address must pass: a name that mixes public and private answers is an attempt to get one of them through. */
async function resolveChecked(dialer: Dialer, target: Target): Promise<ResolvedAddress[]> {
  const early = judgeTarget(dialer.rules, target)
  if (early) throw new EgressError(early)
  const addresses = target.address
    ? [{ address: target.host, family: target.address.length === 4 ? 4 : 6 }]
    : await dialer.resolve(target.host)
  for (const { address } of addresses) judgeOrThrow(dialer.rules, target, address)
  return addresses
}

function opened(socket: net.Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(event, resolve)
    socket.once('error', (cause) => reject(new EgressError('network', { cause })))
    socket.once('close', () => reject(new EgressError('network')))
  })
}

/**
 * Connects to the addresses that were checked and to no others: the socket gets them as its own lookup, so the name is
 * not resolved a second time. The address of the finished connection is judged once more, as the last word.
 */
export async function dial(dialer: Dialer, target: Target, deadlineMs: number): Promise<net.Socket> {
  const addresses = await within(resolveChecked(dialer, target), deadlineMs, () => {})
  const socket = net.connect({
    host: target.host,
    port: target.port,
    noDelay: true,
    keepAlive: true,
    // IPv6 that leads nowhere must not cost the whole time allowed; the next address is tried after 250 ms.
    autoSelectFamily: true,
    lookup: (_hostname, options, callback) => {
      const [first] = addresses
      if (options.all) callback(null, addresses)
      else callback(null, first?.address ?? '', first?.family)
    },
  })
  await within(opened(socket, 'connect'), deadlineMs, () => socket.destroy())
  try {
    judgeOrThrow(dialer.rules, target, socket.remoteAddress ?? '')
  } catch (error) {
    socket.destroy()
    throw error
  }
  return socket
}

export async function secure(socket: net.Socket, options: TlsOptions, deadlineMs: number): Promise<tls.TLSSocket> {
  const { host, ca, alpn } = options
  const encrypted = tls.connect({
    socket,
    host,
    // Server name indication is for names only (RFC 6066 section 3); the certificate is compared with `host` either way.
    servername: net.isIP(host) ? '' : host,
    minVersion: 'TLSv1.2',
    // Said here so that NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment cannot switch the check off.
    rejectUnauthorized: true,
    ...(ca ? { ca } : {}),
    ...(alpn?.length ? { ALPNProtocols: alpn } : {}),
  })
  const abandon = () => {
    encrypted.destroy()
    socket.destroy()
  }
  await within(opened(encrypted, 'secureConnect'), deadlineMs, abandon)
  return encrypted
}
