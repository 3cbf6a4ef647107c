import { randomInt } from 'node:crypto'
import { isForeignKeyBroken, runTransaction } from '../../platform/db/index.ts'
import { newId } from '../../platform/ids/index.ts'
import { type AuditLine, type BatchedEvent, type EventBatch, openContext, type Services } from '../context/index.ts'
import { insertEvents } from './batch-store.ts'
import { describeEvent, type NewEvent } from './event-line.ts'
import { sealPersonalParts, stripes } from './record.ts'

export interface StoppableEventBatch extends EventBatch {
  stop(): Promise<void>
}

interface TokenShare {
  realmId: string
  clientId: string
  minute: number
  tokens: number
  expiresAt: number
}

// Contract 6.5: at most 250 ms or 500 events are at risk when a node is killed.
const waitMs = 250
const maxBatch = 500
// A database that is away for long must not fill the memory; what is beyond is dropped and counted.
const maxWaiting = 50_000
const minuteMs = 60_000

/** Gathers events of requests that write nothing themselves; one write for hundreds of tokens instead of one each. */
export function createEventBatch(
  services: Services,
  addClientActivity: (share: TokenShare) => Promise<void>,
): StoppableEventBatch {
  const stripe = randomInt(stripes)
  let waiting: BatchedEvent[] = []
  let tokens = new Map<string, TokenShare>()
  let timer: NodeJS.Timeout | undefined
  let flushing: Promise<void> = Promise.resolve()
  let dropped = 0

  function schedule(): void {
    if (waiting.length >= maxBatch) void flush()
    else timer ??= setTimeout(() => void flush(), waitMs)
  }

  function add(event: BatchedEvent): void {
    if (waiting.length >= maxWaiting) {
      dropped++
      return
    }
    waiting.push(event)
    schedule()
  }

  function countToken(realmId: string, clientId: string, expiresAt: number): void {
    const minute = Math.floor(services.clock.now() / minuteMs) * minuteMs
    const key = `${realmId}\n${clientId}\n${minute}`
    const share = tokens.get(key) ?? { realmId, clientId, minute, tokens: 0, expiresAt }
    share.tokens++
    share.expiresAt = Math.max(share.expiresAt, expiresAt)
    tokens.set(key, share)
    schedule()
  }

  async function writeOut(): Promise<void> {
    const taken = waiting.splice(0, maxBatch)
    const shares = [...tokens.values()]
    tokens = new Map()
    for (const [realmId, events] of Map.groupBy(taken, (event) => event.realmId)) {
      await writeRealm(services, realmId, events, stripe).catch((error: unknown) => {
        // The realm was deleted meanwhile: its trail is gone, too.
        if (isForeignKeyBroken(error)) return
        waiting = [...events, ...waiting].slice(0, maxWaiting)
        services.log.warn({ err: error, dropped }, 'events could not be written and are kept')
      })
    }
    for (const share of shares) {
      await addClientActivity(share).catch((error: unknown) => {
        if (!isForeignKeyBroken(error)) services.log.debug({ err: error }, 'token counters could not be written')
      })
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    flushing = flushing.then(writeOut).then(() => {
      // After a failure the next try waits; after a full batch there is more to do at once.
      if (waiting.length > 0) timer ??= setTimeout(() => void flush(), waiting.length >= maxBatch ? 0 : waitMs)
    })
    return flushing
  }

  return {
    add,
    countToken,
    flush,
    async stop() {
      await flush()
      clearTimeout(timer)
      await flushing
    },
  }
}

async function writeRealm(services: Services, realmId: string, events: BatchedEvent[], stripe: number): Promise<void> {
  await runTransaction(services.db, async (work) => {
    const lines: AuditLine[] = []
    const rows = []
    for (const { actor, origin, at, event } of events) {
      const ctx = { ...openContext(services, work, { realmId, actor, origin }), now: at }
      const line = describeEvent(ctx, event as NewEvent, newId(at))
      lines.push(line)
      rows.push({ ...line, realmId, ...(await sealPersonalParts(ctx, event as NewEvent, line)) })
    }
    const byShare = Map.groupBy(lines, (line) =>
      JSON.stringify([line.ts.slice(0, 10), line.type, line.outcome, line.category]),
    )
    const rollups = [...byShare].map(([key, share]) => {
      const [day, type, outcome, category] = JSON.parse(key) as [string, string, string, string]
      return { day, type, outcome, category, count: share.length }
    })
    await insertEvents(work.tx, realmId, rows.map(pickRow), rollups, stripe)
    work.afterCommit(() => services.auditSink.emitAll(lines))
  })
}

type WrittenRow = Parameters<typeof insertEvents>[2][number]

function pickRow(row: WrittenRow): WrittenRow {
  const { realmId, id, category, type, outcome, actor, resourceType, resourceId, clientId, sessionId } = row
  const { impersonatorId, agentId, traceId, ipHash, actorKeyId, actorSealed, detailKeyId, detailSealed } = row
  return {
    ...{ realmId, id, category, type, outcome, actor, resourceType, resourceId, clientId, sessionId },
    ...{ impersonatorId, agentId, traceId, ipHash, actorKeyId, actorSealed, detailKeyId, detailSealed },
  }
}
