// How many objects a realm and the whole server have, kept in the transaction of each change.
// Contract 4.19: totals from striped counters, never by counting rows.
// Called where users, sessions, realms, clients or agents come and go; activity is counted beside the metrics; read by monitoring.
import { randomInt } from 'node:crypto'
import type { Context } from '../context/index.ts'
import { addToCounters, type counterNames } from './store.ts'

export { type Activity, type ActivityName, activityNames, createActivity } from './activity.ts'
export { countersContribution } from './contribution.ts'
export {
  readMostActive,
  readRealmActivity,
  readRealmCounters,
  readRealmTotals,
  readServerCounters,
} from './store.ts'

export type CounterName = (typeof counterNames)[number]

// Writers spread over this many rows, so that two sign-ins at once seldom wait for one another.
const stripes = 16

export async function adjustCounter(ctx: Context, name: CounterName, by: number): Promise<void> {
  await addToCounters(ctx.tx, { realmId: ctx.realmId, name, stripe: randomInt(stripes), by })
}
