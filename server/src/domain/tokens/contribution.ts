import type { Context, Contribution, Services } from '../context/index.ts'
import { deleteExpiredModels, deleteGrants } from './model-store.ts'
import { deleteRequestsOf } from './person-store.ts'
import { deleteExpiredRevocations, deleteRevocation } from './revocation-store.ts'
import { deleteExpiredActivity } from './activity-store.ts'

// Small enough that no token request ever waits for the clean-up.
const batch = 1000

/** Grants with all tokens, requests that wait for the person, and the mark that voids what was issued to them before. */
async function eraseTokens({ tx, realmId, now }: Context, userId: string, names: readonly string[]): Promise<void> {
  await deleteGrants(tx, realmId, { userId })
  await deleteRequestsOf(tx, realmId, { userId, names }, now)
  // A token needs a living person; without one the mark voids nothing more.
  await deleteRevocation(tx, realmId, `user:${userId}`)
}

/** Whoever may no longer come in keeps no tokens either. */
export const tokensContribution: Contribution = {
  traces: [{ tables: ['oidc_models', 'oidc_consumptions', 'token_revocations'], eraseFor: eraseTokens }],
  reactions: {
    userDisabled: async (ctx, userId) => void (await deleteGrants(ctx.tx, ctx.realmId, { userId })),
    userLocked: async (ctx, userId) => void (await deleteGrants(ctx.tx, ctx.realmId, { userId })),
    userDeleted: async (ctx, userId) => void (await deleteGrants(ctx.tx, ctx.realmId, { userId })),
    sessionEnded: async (ctx, sessions) =>
      void (await deleteGrants(ctx.tx, ctx.realmId, { sessionIds: sessions.map((session) => session.id) })),
    clientEnded: async (ctx, clientId) => void (await deleteGrants(ctx.tx, ctx.realmId, { clientId })),
  },
  jobs: [
    {
      name: 'tokens.forget',
      schedule: '* * * * *',
      async handle(services) {
        await repeat(services, deleteExpiredModels)
        await repeat(services, deleteExpiredRevocations)
        await repeat(services, deleteExpiredActivity)
      },
    },
  ],
}

type Removal = (db: Services['db'], now: number, limit: number) => Promise<number>

async function repeat(services: Services, remove: Removal): Promise<void> {
  while ((await remove(services.db, services.clock.now(), batch)) === batch);
}
