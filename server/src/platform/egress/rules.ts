import { type Address, type Cidr, classifyAddress, isInCidr, parseCidr } from './addresses.ts'
import type { EgressReason } from './errors.ts'
import { canonicalHost, type EgressFamily, type Target } from './targets.ts'

/** One entry of GATEHOUSE_EGRESS_ALLOW. */
export interface EgressRule {
  /** As the operator wrote it. */
  text: string
  /** null: every kind of call. */
  family: EgressFamily | null
  /** Written with https, ldaps or smtps: the entry covers encrypted calls only. */
  encryptedOnly: boolean
  /** Written with http, ldap or smtp: calls to this entry may go without TLS. */
  liftsTls: boolean
  host: string | null
  cidr: Cidr | null
  /** null: every port. */
  port: number | null
}

const schemes: Record<string, { family: EgressFamily; liftsTls: boolean }> = {
  http: { family: 'http', liftsTls: true },
  https: { family: 'http', liftsTls: false },
  ldap: { family: 'ldap', liftsTls: true },
  ldaps: { family: 'ldap', liftsTls: false },
  smtp: { family: 'smtp', liftsTls: true },
  smtps: { family: 'smtp', liftsTls: false },
}

/** Reads `[scheme://]host-or-CIDR[:port]`; IPv6 with a port is written in brackets. Throws an Error that quotes the entry. */
export function parseEgressRule(text: string): EgressRule {
  const entry = text.trim()
  const fault = (why: string) => new Error(`"${entry}" is not [scheme://]host-or-CIDR[:port]: ${why}`)
  const [, schemeText, rest = ''] = /^(?:([a-z]+):\/\/)?(.*)$/is.exec(entry) ?? []
  const scheme = schemeText === undefined ? null : schemes[schemeText.toLowerCase()]
  if (scheme === undefined) throw fault(`the scheme must be one of ${Object.keys(schemes).join(', ')}`)
  const { place, portText } = splitPort(rest)
  const port = portText === null ? null : Number(portText)
  if (port !== null && (port < 1 || port > 65_535)) throw fault('the port must be between 1 and 65535')
  const named = parsePlace(place)
  if (!named) throw fault('the host or CIDR is not valid')
  return {
    text: entry,
    family: scheme?.family ?? null,
    encryptedOnly: scheme ? !scheme.liftsTls : false,
    liftsTls: scheme?.liftsTls ?? false,
    port,
    ...named,
  }
}

function splitPort(rest: string): { place: string; portText: string | null } {
  const bracketed = /^\[([^\]]*)\](?::(\d{1,5}))?$/.exec(rest)
  if (bracketed) return { place: bracketed[1] ?? '', portText: bracketed[2] ?? null }
  // Two colons can only be IPv6, whose last group must not be taken for a port.
  if (rest.split(':').length > 2) return { place: rest, portText: null }
  const plain = /^([^:]*):(\d{1,5})$/.exec(rest)
  return plain ? { place: plain[1] ?? '', portText: plain[2] ?? null } : { place: rest, portText: null }
}

function parsePlace(place: string): { host: string | null; cidr: Cidr | null } | null {
  const cidr = parseCidr(place)
  if (cidr) return { host: null, cidr }
  const named = canonicalHost(place)
  if (!named) return null
  // A number such as 2130706433 is an address in another spelling.
  if (named.address) return { host: null, cidr: { bytes: named.address, prefixLength: named.address.length * 8 } }
  return { host: named.host, cidr: null }
}

const loopback: Address[] = [
  [127, 0, 0, 1],
  [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
]

function covers(rule: EgressRule, target: Target): boolean {
  if (rule.family !== null && rule.family !== target.family) return false
  if (rule.encryptedOnly && !target.encrypted) return false
  return rule.port === null || rule.port === target.port
}

/** The one decision about an address, made before connecting and again on the address that was connected to. */
export function judgeAddress(rules: EgressRule[], target: Target, address: Address): EgressReason | null {
  const matching = rules.filter(
    (rule) => covers(rule, target) && (rule.cidr ? isInCidr(address, rule.cidr) : rule.host === target.host),
  )
  const range = classifyAddress(address)
  // A name is under the control of whoever runs its DNS, so a host rule opens ordinary private addresses and no others.
  const reachable = range === 'public' || matching.some((rule) => rule.cidr !== null || range === 'private')
  if (!reachable) return 'blocked_address'
  return target.encrypted || matching.some((rule) => rule.liftsTls) ? null : 'tls_required'
}

/** What can be said without asking DNS; a name that passes is judged again by its addresses at connect time. */
export function judgeTarget(rules: EgressRule[], target: Target): EgressReason | null {
  if (target.address) return judgeAddress(rules, target, target.address)
  const byName = rules.filter((rule) => covers(rule, target) && rule.host === target.host)
  const byRange = rules.filter((rule) => covers(rule, target) && rule.cidr !== null)
  // RFC 6761: these names are this machine, wherever they are asked.
  const isLocal = target.host === 'localhost' || target.host.endsWith('.localhost')
  const opensLoopback = (rule: EgressRule) =>
    loopback.some((address) => rule.cidr !== null && isInCidr(address, rule.cidr))
  if (isLocal && byName.length === 0 && !byRange.some(opensLoopback)) return 'blocked_address'
  if (target.encrypted) return null
  // The name may resolve into a range that is open for plain text; only connecting can tell.
  return [...byName, ...byRange].some((rule) => rule.liftsTls) ? null : 'tls_required'
}
