// Realm snapshots: the configuration of a realm as one immutable value, read once and kept in step by its version.
// Architecture 6. Holds only bounded things (settings, keys, flows); never users, sessions, permissions or clients.
// Made by app/; every request asks it for its realm, folders contribute sections that load on first use.
import type { Sealer } from '../../platform/crypto/index.ts'
import type { Database, Tx } from '../../platform/db/index.ts'
import { createVersionedCache } from '../../platform/cache/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { shareLooks } from './share-looks.ts'
import { raiseConfigVersion, readConfigVersion, readRealm, readRecentChanges } from './store.ts'

export interface SectionSources {
  db: Database
  sealer: Sealer
}

/** A part of the snapshot that one folder owns. */
export interface Section<T> {
  name: string
  load(sources: SectionSources, realmId: string): Promise<T>
  /** Rough size in bytes, for the bound on the whole cache. */
  sizeOf(value: T): number
}

export interface RealmSnapshot {
  readonly realmId: string
  readonly configVersion: number
  readonly displayName: string | null
  readonly enabled: boolean
  readonly system: boolean
  readonly createdAt: number
  /** The section's value as of this snapshot, loaded when first asked for. */
  section<T>(section: Section<T>): Promise<T>
}

export interface RealmSnapshots {
  /** Null when there is no such realm, or it was deleted. */
  find(realmId: string): Promise<RealmSnapshot | null>
  /** A version read from the database in passing; an older snapshot is dropped. */
  observe(realmId: string, configVersion: number): void
  /** The snapshot after a look at the database that began after this call; many callers at once share one look. */
  refresh(realmId: string): Promise<RealmSnapshot | null>
  drop(realmId: string): void
  stats(): { entries: number; bytes: number; unknown: number }
  start(): void
  stop(): Promise<void>
}

export interface SnapshotOptions extends SectionSources {
  clock: Clock
  maxBytes: number
  pollMs?: number
  onPollError(error: unknown): void
  /** Brings a realm of an earlier release up to this seed version before it is read. */
  seed?: { version: number; upgrade(realmId: string): Promise<void> }
}

// What an empty snapshot weighs in the heap: the object, its closures and its maps.
const baseBytes = 1024
// The poller's window of 10 s covers transactions that commit late; this is the last resort behind it.
const hardTtlMs = 60_000

export function createSnapshots(options: SnapshotOptions): RealmSnapshots {
  const { db } = options
  const cache = createVersionedCache<RealmSnapshot>({
    maxBytes: options.maxBytes,
    ttlMs: hardTtlMs,
    pollMs: options.pollMs ?? 250,
    unknownMax: 10_000,
    unknownTtlMs: 5000,
    clock: options.clock,
    onPollError: options.onPollError,
    recentChanges: () => readRecentChanges(db),
    async load(realmId) {
      const row = await readSeededRealm(options, realmId)
      if (!row) return null
      return { value: buildSnapshot(row), version: row.configVersion, bytes: baseBytes }
    },
  })

  function buildSnapshot(row: Omit<RealmSnapshot, 'section'>): RealmSnapshot {
    const sections = new Map<string, Promise<unknown>>()
    let bytes = baseBytes
    return {
      ...row,
      section<T>(section: Section<T>): Promise<T> {
        let value = sections.get(section.name) as Promise<T> | undefined
        if (!value) {
          value = loadSection(section, row)
          sections.set(section.name, value)
          value.then(
            (loaded) => {
              bytes += section.sizeOf(loaded)
              cache.resize(row.realmId, bytes)
            },
            () => sections.delete(section.name),
          )
        }
        return value
      },
    }
  }

  async function loadSection<T>(section: Section<T>, row: { realmId: string; configVersion: number }): Promise<T> {
    const value = await section.load(options, row.realmId)
    // A write between the snapshot and this read raises the version: the value is right, the snapshot around it is not.
    const current = await readConfigVersion(db, row.realmId)
    if (current !== null && current !== row.configVersion) cache.observe(row.realmId, current)
    return value
  }

  const lookAgain = shareLooks(async (realmId) => {
    const version = await readConfigVersion(db, realmId)
    if (version === null) cache.drop(realmId)
    else cache.observe(realmId, version)
  })

  return {
    find: (realmId) => cache.get(realmId),
    async refresh(realmId) {
      await lookAgain(realmId)
      return cache.get(realmId)
    },
    observe: cache.observe,
    drop: cache.drop,
    stats: cache.stats,
    start: cache.start,
    stop: cache.stop,
  }
}

/** A realm of an earlier release is brought up to date before anybody sees it. */
async function readSeededRealm({ db, seed }: SnapshotOptions, realmId: string) {
  const row = await readRealm(db, realmId)
  if (!row || !seed || row.seedVersion >= seed.version) return row
  await seed.upgrade(realmId)
  return readRealm(db, realmId)
}

/** Every configuration write calls this in its own transaction: all nodes then leave the old snapshot. */
export async function raiseRealmVersion(ctx: {
  tx: Tx
  realmId: string
  services: { snapshots: RealmSnapshots }
  afterCommit(effect: () => void): void
}): Promise<void> {
  const version = await raiseConfigVersion(ctx.tx, ctx.realmId)
  ctx.afterCommit(() => ctx.services.snapshots.observe(ctx.realmId, version))
}
