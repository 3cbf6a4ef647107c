// A node whose chain grows only when a test says so, and the ways into its database that an attacker would need.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { recordEvent } from '../../src/domain/events/index.ts'
import { chainNewEvents } from '../../src/domain/events/chain/index.ts'
import { cloneDatabase } from '../harness/node.ts'
import { createRealmFor, startTestNode, type TestNode, type TestRealm } from '../harness/index.ts'

export interface ChainStand {
  node: TestNode
  database: Awaited<ReturnType<typeof cloneDatabase>>
  /** Runs SQL as the superuser, past every right. */
  sql(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  openRealm(): Promise<TestRealm>
  stop(): Promise<void>
}

export async function openChainStand(): Promise<ChainStand> {
  const database = await cloneDatabase()
  const node = await startTestNode({ database, env: { GATEHOUSE_WORKER: 'false' } })
  const client = new pg.Client({ connectionString: database.superUrl })
  await client.connect()
  return {
    node,
    database,
    sql: async (text, values = []) => (await client.query<Record<string, unknown>>(text, values)).rows,
    openRealm: () => createRealmFor({ node }),
    async stop() {
      await client.end()
      await node.stop()
      await database.drop()
    },
  }
}

/** So many events, one after the other. */
export async function writeEvents(realm: TestRealm, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    await realm.run((ctx) =>
      recordEvent(ctx, {
        type: 'LOGOUT',
        outcome: 'SUCCESS',
        resourceType: 'users',
        resourceId: `user-${i}`,
        detail: `d${i}`,
      }),
    )
  }
}

/** Lets time pass until seals are due, and runs the job. */
export async function chainAndSeal({ node }: ChainStand): Promise<void> {
  await chainNewEvents(node.services)
  node.clock.advance(6 * 60_000)
  await chainNewEvents(node.services)
}

export interface PlaceRow {
  seq: number
  event_id: string
  hash: string
}

export async function readPlaces(stand: ChainStand, realm: TestRealm): Promise<PlaceRow[]> {
  const rows = await stand.sql(
    `select seq::int, event_id, encode(hash, 'hex') as hash from audit_chain where realm_id = $1 order by seq`,
    [realm.realmId],
  )
  return rows as unknown as PlaceRow[]
}

export const verify = async (realm: TestRealm, query = '') => (await realm.call('GET', `/events/verify${query}`)).body

export { sleep }
