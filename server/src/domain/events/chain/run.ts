import { firstIdAt } from '../../../platform/ids/index.ts'
import { type AuditKeys, useAuditKeys } from './audit-key.ts'
import { type ChainServices, extendChain } from './extend.ts'
import { readChainMark, writeChainMark } from './key-store.ts'
import { latestMs } from './proof/index.ts'
import { readUnevenRealms, readUnsealedRealms } from './search-store.ts'
import { sealAfterMs, sealRealm } from './seal.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
// An event gets its id before it is committed, so it may come to light after later ones. Statements end after 15 seconds and
// clocks of nodes differ by less than this; what comes later still is found by the nightly look.
const overlapMs = 5 * minuteMs
// After a pause the way is gone in steps, each of which is remembered.
const stepMs = hourMs
const realmsPerPage = 5000
// Ends a run before the next one has begun several times over; the mark stays, and the next one goes on.
const runMs = 10 * minuteMs

interface Window {
  from: number
  /** Null is open: whatever is there. */
  until: number | null
}

/** Chains what was written since the last run. Returns the number of events that got a place. */
export async function chainNewEvents(services: ChainServices): Promise<number> {
  const { db, clock } = services
  const keys = await useAuditKeys(services)
  const started = clock.now()
  // A mark ahead of this clock was set by a clock that went wrong.
  let mark = Math.min((await readChainMark(db)) ?? started, started)
  let chained = 0
  for (;;) {
    const next = Math.min(mark + stepMs, started)
    const until = next < started ? next : null
    const window = await chainWindow(services, keys, { from: mark - overlapMs, until })
    chained += window.chained
    if (window.outcome === 'BUSY') break
    if (window.outcome === 'DONE') await writeChainMark(db, (mark = next))
    const finished = window.outcome === 'DONE' && until === null
    if (finished || clock.now() - started > runMs) break
  }
  await sealWaitingChains(services, keys)
  return chained
}

/** Chains what came to light long after its time: a node that was frozen, or cut off with events in its hands. */
export async function chainLateEvents(services: ChainServices): Promise<number> {
  const keys = await useAuditKeys(services)
  const now = services.clock.now()
  let chained = 0
  for (let from = now - latestMs; from < now; from += stepMs) {
    chained += (await chainWindow(services, keys, { from, until: from + stepMs })).chained
  }
  return chained
}

async function chainWindow(services: ChainServices, keys: AuditKeys, { from, until }: Window) {
  const range = { fromId: firstIdAt(from), untilId: until === null ? null : firstIdAt(until) }
  const outcomes = new Set<string>()
  let chained = 0
  let after = ''
  for (;;) {
    const realms = await readUnevenRealms(services.db, range, after, realmsPerPage)
    for (const { realmId, firstId } of realms) {
      const extension = await extendOrReport(services, keys, realmId, firstId)
      chained += extension.chained
      outcomes.add(extension.outcome)
    }
    if (realms.length < realmsPerPage) {
      const outcome = outcomes.has('BUSY') ? 'BUSY' : outcomes.has('MORE') ? 'MORE' : 'DONE'
      return { outcome, chained }
    }
    after = realms.at(-1)!.realmId
  }
}

/**
 * A chain that cannot be continued, because somebody meddled with it, must not keep the others from theirs. Once it is mended it
 * goes on where it was, with the realm's next event.
 */
async function extendOrReport(services: ChainServices, keys: AuditKeys, realmId: string, firstId: string) {
  try {
    return await extendChain(services, keys, realmId, firstId)
  } catch (error) {
    services.log.error({ err: error, realm: realmId }, 'the audit chain of a realm could not be continued')
    return { outcome: 'FAILED' as const, chained: 0 }
  }
}

async function sealWaitingChains(services: ChainServices, keys: AuditKeys): Promise<void> {
  for (;;) {
    const waiting = await readUnsealedRealms(services.db, services.clock.now() - sealAfterMs, realmsPerPage)
    let sealed = 0
    for (const realmId of waiting) if (await sealRealm(services, keys, realmId)) sealed++
    // Those that somebody else holds are theirs to seal, or turn up again in a minute.
    if (sealed < realmsPerPage) return
  }
}
