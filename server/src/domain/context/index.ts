// What every domain function receives first: who acts, in which realm, in which transaction, at what time.
// Architecture 3: plain functions with a context, no container.
// Made by app/ for each request and job; read by every domain folder.
import type { Config } from '../../platform/config/index.ts'
import type { Sealer } from '../../platform/crypto/index.ts'
import type { Database, Tx, Work } from '../../platform/db/index.ts'
import type { Egress } from '../../platform/egress/index.ts'
import type { Jobs } from '../../platform/jobs/index.ts'
import type { Limits } from '../../platform/limits/index.ts'
import type { Log } from '../../platform/log/index.ts'
import type { Metrics } from '../../platform/metrics/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import type { AuditSink } from './audit-sink.ts'
import type { Actor } from './actor.ts'
import type { Contribution } from './contributions.ts'
import type { EventBatch } from './event-batch.ts'
import type { Passwords } from '../passwords/index.ts'
import type { KeySource } from '../signing-keys/index.ts'
import type { RealmSnapshots } from '../snapshot/index.ts'

export { type Actor, anonymous, asUser, jobActor, type UserActor } from './actor.ts'
export type { AuditLine, AuditSink } from './audit-sink.ts'
export { issuerOf, resourceMetadataUrl } from './issuer.ts'
export type { BatchedEvent, EventBatch } from './event-batch.ts'
export {
  applySeeds,
  type Contribution,
  currentSeedVersion,
  type DataSubjectSection,
  type EndedSession,
  goesWithThePerson,
  hiddenImpersonator,
  maxExportedEntries,
  type PersonalTraces,
  react,
  type Reactions,
  type RealmSeed,
  type SessionParticipant,
  type VersionedSeed,
} from './contributions.ts'

/** What the process has, made once at start. */
export interface Services {
  config: Config
  db: Database
  /** Connections of the owning role, for partitions, retention and purging. */
  adminDb: Database
  sealer: Sealer
  clock: Clock
  log: Log
  metrics: Metrics
  jobs: Jobs
  egress: Egress
  limits: Limits
  passwords: Passwords
  keySource: KeySource
  snapshots: RealmSnapshots
  auditSink: AuditSink
  /** Events of what writes nothing itself, gathered for a moment and written together (contract 6.5). */
  eventBatch: EventBatch
  /** Counts what begins and ends too often for a row in every transaction. */
  activity: { countSessions(realmId: string, by: number): void; flush(): Promise<void> }
  contributions: Contribution[]
}

/** Where a request came from. */
export interface Origin {
  sourceIp: string | null
  userAgent: string | null
  traceId: string
}

export interface Context {
  services: Services
  realmId: string
  actor: Actor
  /** The transaction of a write. On a plain read it is the pool itself: single statements, nothing to commit. */
  tx: Tx
  now: number
  origin: Origin
  /** Runs once after the commit, and not at all when the transaction is rolled back. */
  afterCommit(effect: () => void): void
  /** Set on a dry run: everything is rolled back at the end. */
  dryRun: boolean
}

/** What jobs and the start of the service have instead of a caller's address. */
export function ownOrigin(traceId: string): Origin {
  return { sourceIp: null, userAgent: null, traceId }
}

/** The context of a transaction. */
export function openContext(
  services: Services,
  work: Work,
  from: { realmId: string; actor: Actor; origin: Origin; dryRun?: boolean },
): Context {
  const { realmId, actor, origin, dryRun = false } = from
  return {
    services,
    realmId,
    actor,
    origin,
    dryRun,
    tx: work.tx,
    afterCommit: work.afterCommit,
    now: services.clock.now(),
  }
}
