import type { Context } from '../context/index.ts'
import { aggregate, boundedCheck } from './bounded-check.ts'
import type { HealthResponse } from './schema.ts'

// Contract 4.21. A component that no folder reports on is shown all the same, as UNKNOWN.
const components = ['signingKey', 'messaging', 'identityProviders', 'scimTargets', 'webhooks']

export async function checkRealmHealth(ctx: Context): Promise<HealthResponse> {
  const checks = new Map(
    ctx.services.contributions.flatMap(({ health = [] }) => health).map((entry) => [entry.component, entry]),
  )
  const names = [...new Set([...components, ...checks.keys()])]
  const entries = await Promise.all(
    names.map(async (name) => {
      const entry = checks.get(name)
      const status = entry ? await boundedCheck(() => entry.check(ctx)) : 'UNKNOWN'
      return [name, { status }] as const
    }),
  )
  return {
    status: aggregate(entries.map(([, { status }]) => status)),
    groups: [],
    components: Object.fromEntries(entries),
  }
}
