import { z } from 'zod'

const status = z.enum(['UP', 'DOWN', 'OUT_OF_SERVICE', 'UNKNOWN'])

export const healthResponse = z
  .object({
    status,
    groups: z.array(z.string()).optional(),
    components: z.record(z.string(), z.object({ status })),
  })
  .meta({ id: 'Health' })

export type HealthStatus = z.infer<typeof status>
export type HealthResponse = z.infer<typeof healthResponse>

const url = z.string()

export const realmEndpoints = z
  .object({
    issuer: url,
    discovery: url,
    authorization: url,
    token: url,
    userinfo: url,
    logout: url,
    jwks: url,
    introspection: url,
    revocation: url,
    deviceAuthorization: url,
    backchannelAuthentication: url,
    pushedAuthorizationRequest: url,
    registration: url,
    scim: url,
    samlMetadata: url,
    samlSso: url,
    samlSlo: url,
    account: url,
    workloadIdentityToken: url,
    agentDelegationToken: url,
    protectedResourceMetadata: url,
    adminApi: url,
  })
  .meta({ id: 'RealmEndpoints' })

export type RealmEndpoints = z.infer<typeof realmEndpoints>

const count = z.number().int()
const activity = {
  logins: z.object({ success: count, failure: count }),
  tokensIssued: count,
  mfaChallenges: count,
  adminWrites: z.object({ success: count, denied: count }),
}

export const metricsSummary = z
  .object({
    generatedAt: count.describe('Epoch milliseconds.'),
    uptimeSeconds: count.describe('Of the process that answers.'),
    realms: count,
    users: count,
    clients: count,
    agents: count,
    activeSessions: count,
    ...activity,
    byRealm: z
      .array(z.object({ realmId: z.string(), ...activity }))
      .describe('What happened today in the 100 most active realms.'),
  })
  .meta({ id: 'MetricsSummary' })

export type MetricsSummary = z.infer<typeof metricsSummary>
