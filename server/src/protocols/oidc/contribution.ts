import type { Contribution, Services } from '../../domain/context/index.ts'
import type { JobDefinition } from '../../platform/jobs/index.ts'
import { findIssuer } from './issuer.ts'
import { deliverLogout } from './internals.ts'
import { protocol } from './session-adapter.ts'

interface LogoutNotice {
  realmId: string
  clientId: string
  userId: string
  sid: string
}

/** Tells one application that a session has ended (OpenID Connect Back-Channel Logout 1.0). */
const logoutJob: JobDefinition<Services, LogoutNotice> = {
  name: 'oidc.backchannel-logout',
  // With the growing pause between tries about an hour: an application that restarts still hears of it.
  retryLimit: 8,
  maxSeconds: 30,
  async handle(services, { realmId, clientId, userId, sid }) {
    const realm = await services.snapshots.find(realmId)
    if (!realm?.enabled) return
    const { provider } = await findIssuer(services, realm)
    const client = await provider.Client.find(clientId)
    if (!client?.backchannelLogoutUri) return
    await deliverLogout(provider, client, userId, sid)
  },
}

/** When a session ends, every application in it that can be told is told, each by a job of its own. */
export const oidcContribution: Contribution = {
  reactions: {
    async sessionEnded(ctx, sessions) {
      for (const { userId, participants } of sessions) {
        for (const { clientId, sessionKey } of participants.filter((one) => one.protocol === protocol)) {
          const { sid } = sessionKey as { sid?: string }
          if (!sid) continue
          await ctx.services.jobs.enqueue(ctx.tx, logoutJob, { realmId: ctx.realmId, clientId, userId, sid })
        }
      }
    },
  },
  jobs: [logoutJob],
}
