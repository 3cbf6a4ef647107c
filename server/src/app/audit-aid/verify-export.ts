import { createHash, type KeyObject } from 'node:crypto'
import {
  type BreakReason,
  checkLink,
  type EventContent,
  firstIdPast,
  isSealSigned,
  isSigned,
  type Link,
  type Manifest,
  manifestText,
  type Place,
  readPublicJwk,
  type SignedSeal,
} from '../../domain/events/chain/proof/index.ts'
import type { GivenKey } from './given-key.ts'
import { readLines } from './read-lines.ts'

export type ExportReason =
  | BreakReason
  | 'NOT_AN_EXPORT'
  | 'KEY_UNKNOWN'
  /** What is to be read differs from what was hashed. */
  | 'READING_DIFFERS'
  | 'FILE_CHANGED'
  | 'FILE_CUT_OFF'
  | 'DOES_NOT_FOLLOW'

export interface ExportReport {
  file: string
  realm: string | null
  from: number
  to: number
  lastHash: string
  events: number
  seals: number
  /** The last place that a seal in the file covers. */
  sealedTo: number | null
  /** The number of the last seal in the file or before it; null when none is known. */
  lastSeal: number | null
  keyIds: string[]
  next: number | null
  broken: { line: number; seq: number | null; eventId: string | null; reason: ExportReason } | null
}

interface Header {
  kind: 'header'
  version: number
  realm: string
  after: number
  afterHash: string
  anchor: SignedSeal | null
  removal: SignedSeal | null
  keys: unknown[]
}
type EventLine = { kind: 'event'; event: Record<string, unknown> | null } & Link
type SealLine = { kind: 'seal' } & SignedSeal
interface ManifestLine {
  kind: 'manifest'
  manifest: Manifest
  signature: string
}

class Broken extends Error {
  readonly reason: ExportReason
  readonly link: { seq: number; eventId: string } | null
  constructor(reason: ExportReason, link: { seq: number; eventId: string } | null = null) {
    super(reason)
    this.reason = reason
    this.link = link
  }
}

interface State {
  header: Header
  keys: Map<string, KeyObject>
  removedBefore: string | null
  place: Place
  events: number
  seals: number
  sealedTo: number | null
  lastSeal: number | null
}

/** Goes through a file once, line by line, and stops at the first thing that does not fit. */
export async function verifyExport(
  file: string,
  given: GivenKey | null,
  earlier: ExportReport | null,
): Promise<ExportReport> {
  const digest = createHash('sha256')
  let state: State | null = null
  let next: number | null = null
  let finished = false
  let number = 0
  let broken: ExportReport['broken'] = null
  try {
    for await (const line of readLines(file)) {
      number += 1
      if (finished) throw new Broken('FILE_CHANGED')
      const parsed = parseLine(line)
      if (!state) state = begin(parsed, given, earlier)
      else if (parsed.kind === 'event') takeEvent(state, parsed)
      else if (parsed.kind === 'seal') takeSeal(state, parsed)
      else if (parsed.kind === 'manifest') {
        checkManifest(state, parsed, digest.digest('hex'))
        next = parsed.manifest.next
        finished = true
      } else throw new Broken('NOT_AN_EXPORT')
      if (!finished) digest.update(line).update('\n')
    }
    if (!finished) throw new Broken(state ? 'FILE_CUT_OFF' : 'NOT_AN_EXPORT')
  } catch (error) {
    // A member that is missing, or of another kind than an export writes; a line that no export has.
    const isForeign = error instanceof TypeError || error instanceof RangeError
    const found = isForeign ? new Broken('NOT_AN_EXPORT') : error
    if (!(found instanceof Broken)) throw error
    broken = { line: number, seq: found.link?.seq ?? null, eventId: found.link?.eventId ?? null, reason: found.reason }
  }
  return {
    file,
    realm: state?.header.realm ?? null,
    from: (state?.header.after ?? 0) + 1,
    to: state?.place.seq ?? 0,
    lastHash: state?.place.hash ?? '',
    events: state?.events ?? 0,
    seals: state?.seals ?? 0,
    sealedTo: state?.sealedTo ?? null,
    lastSeal: state?.lastSeal ?? null,
    keyIds: [...(state?.keys.keys() ?? [])],
    next,
    broken,
  }
}

function parseLine(line: Buffer): Header | EventLine | SealLine | ManifestLine {
  try {
    const parsed = JSON.parse(line.toString('utf8')) as { kind?: unknown } | null
    if (typeof parsed?.kind === 'string') return parsed as Header
  } catch {
    // Said below.
  }
  throw new Broken('NOT_AN_EXPORT')
}

function begin(header: { kind: string }, given: GivenKey | null, earlier: ExportReport | null): State {
  if (!isHeader(header)) throw new Broken('NOT_AN_EXPORT')
  const keys = chooseKeys(header, given)
  const { anchor, removal, after, afterHash, realm } = header
  const follows =
    earlier === null || (earlier.realm === realm && earlier.to === after && earlier.lastHash === afterHash)
  if (!follows) throw new Broken('DOES_NOT_FOLLOW')
  if (removal && !isOurs(removal, realm, keys)) throw new Broken('SEAL_INVALID')
  if (anchor && !isOurs(anchor, realm, keys)) throw new Broken('SEAL_INVALID')
  if (anchor && (anchor.seq !== after || anchor.hash !== afterHash)) throw new Broken('CHAIN_REWRITTEN')
  const place = { seq: after, hash: afterHash }
  const lastSeal = anchor?.number ?? (after === 0 ? 0 : (earlier?.lastSeal ?? null))
  const counted = { events: 0, seals: 0, sealedTo: null, lastSeal }
  return { header, keys, removedBefore: removal?.removedBefore ?? null, place, ...counted }
}

const isHeader = (line: { kind: string }): line is Header =>
  line.kind === 'header' && (line as Header).version === 1 && Array.isArray((line as Header).keys)

function chooseKeys({ keys }: Header, given: GivenKey | null): Map<string, KeyObject> {
  const inFile = keys.map((jwk) => readPublicJwk(jwk)).filter((read) => read !== null)
  if (given?.key) return new Map([[given.keyId, given.key]])
  const chosen = given ? inFile.filter(({ keyId }) => keyId === given.keyId) : inFile
  if (chosen.length === 0) throw new Broken('KEY_UNKNOWN')
  return new Map(chosen.map(({ keyId, key }) => [keyId, key]))
}

const isOurs = (seal: SignedSeal, realm: string, keys: Map<string, KeyObject>) =>
  seal.realm === realm && isSealSigned(seal, keys)

function takeEvent(state: State, line: EventLine): void {
  const reason = checkLink(state.place, line, state.removedBefore)
  if (reason) throw new Broken(reason, line)
  if (line.content && line.content.realmId !== state.header.realm) throw new Broken('EVENT_CHANGED', line)
  if (line.content && !readsAsHashed(line, line.content)) throw new Broken('READING_DIFFERS', line)
  // The chain has passed what retention removed.
  if (line.content && state.removedBefore !== null && line.eventId >= firstIdPast(state.removedBefore)) {
    state.removedBefore = null
  }
  state.place = { seq: line.seq, hash: line.hash }
  state.events += 1
}

// What is readable in the row itself. The rest was sealed for a person: the manifest's signature stands for it.
const plainMembers = [
  ...(['id', 'category', 'type', 'outcome', 'resourceType', 'resourceId', 'clientId', 'sessionId'] as const),
  ...(['impersonatorId', 'agentId', 'traceId'] as const),
]

function readsAsHashed({ event, seq, hash }: EventLine, content: EventContent): boolean {
  if (!event) return true
  return (
    event.seq === seq &&
    event.hash === hash &&
    event.realm === content.realmId &&
    plainMembers.every((name) => event[name] === content[name])
  )
}

function takeSeal(state: State, seal: SealLine): void {
  if (!isOurs(seal, state.header.realm, state.keys)) throw new Broken('SEAL_INVALID')
  if (seal.seq !== state.place.seq || seal.hash !== state.place.hash) throw new Broken('CHAIN_REWRITTEN')
  if (state.lastSeal !== null && seal.number !== state.lastSeal + 1) throw new Broken('SEAL_MISSING')
  state.lastSeal = seal.number
  state.seals += 1
  state.sealedTo = seal.seq
}

function checkManifest(state: State, { manifest, signature }: ManifestLine, sha256: string): void {
  const { place, header } = state
  const fits =
    manifest.sha256 === sha256 &&
    manifest.realm === header.realm &&
    manifest.from === header.after + 1 &&
    manifest.to === place.seq &&
    manifest.lastHash === place.hash &&
    manifest.events === state.events &&
    manifest.seals === state.seals
  if (!fits || !isSigned(manifestText(manifest), signature, manifest.keyId, state.keys))
    throw new Broken('FILE_CHANGED')
}
