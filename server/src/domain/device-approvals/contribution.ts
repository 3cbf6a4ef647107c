import { type Contribution, maxExportedEntries } from '../context/index.ts'
import { deleteApprovalsOf, deleteOldApprovals, selectApprovalsOf } from './store.ts'

const hourMs = 3_600_000
const batch = 1000

export const approvalsContribution: Contribution = {
  reactions: {
    userDisabled: (ctx, userId) => deleteApprovalsOf(ctx.tx, ctx.realmId, userId),
    userLocked: (ctx, userId) => deleteApprovalsOf(ctx.tx, ctx.realmId, userId),
  },
  jobs: [
    {
      name: 'device-approvals.forget',
      schedule: '*/10 * * * *',
      async handle(services) {
        while ((await deleteOldApprovals(services.db, services.clock.now() - hourMs, batch)) === batch);
      },
    },
  ],
  dataSubject: [
    {
      section: 'approvals',
      tables: ['device_approvals'],
      async exportFor(ctx, userId) {
        const rows = await selectApprovalsOf(ctx.tx, ctx.realmId, userId, maxExportedEntries + 1)
        return rows.map((row) => ({
          kind: row.kind,
          status: row.status,
          clientId: row.client_id,
          action: row.action,
          sourceIp: row.source_ip,
          userAgent: row.user_agent,
          createdAt: row.created_at,
          answeredAt: row.answered_at,
        }))
      },
      eraseFor: (ctx, userId) => deleteApprovalsOf(ctx.tx, ctx.realmId, userId),
    },
  ],
}
