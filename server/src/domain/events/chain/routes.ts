import { type AnyAdminRoute, adminRoute } from '../../admin-route/index.ts'
import { exportChain } from './export.ts'
import { chainReport, exportLine, type ExportQuery, exportQuery, type VerifyQuery, verifyQuery } from './schema.ts'
import { verifyChain } from './verify.ts'

export const chainRoutes: AnyAdminRoute[] = [
  adminRoute<VerifyQuery>({
    method: 'GET',
    path: '/events/verify',
    permission: { anyOf: ['view-events'] },
    summary: 'Verify the hash chain of the audit trail',
    description:
      'Recomputes the hashes of a part of the trail and compares them with the chain and its seals: changed, removed, inserted ' +
      'and exchanged events are named with their place. Go on with `after` = `next` until `next` is null.',
    query: verifyQuery,
    response: { 200: chainReport },
    async handle(ctx, { query }) {
      const report = await verifyChain(ctx, query)
      const { valid, from, to, firstBroken } = report
      return {
        status: 200,
        body: report,
        outcome: valid ? 'SUCCESS' : 'FAILURE',
        changes: { valid, from, to, firstBroken },
      }
    },
    event: { type: 'AUDIT_CHAIN_VERIFIED', auditRead: true },
    // Hashing thousands of events takes the processor for a while; tokens and sign-ins come first.
    lane: { width: 2, queue: 16 },
    example: { query: { last: '100' } },
  }),
  adminRoute<ExportQuery>({
    method: 'GET',
    path: '/events/export',
    permission: { anyOf: ['view-events'] },
    summary: 'Export the audit trail with its proof',
    description:
      'One JSON object per line: a header, every event as it was hashed and as it reads, the seals, and a signed manifest. ' +
      '`gatehouse audit verify` checks the file without a server. The manifest’s `next` is the `after` of the following file.',
    query: exportQuery,
    response: { 200: exportLine },
    produces: 'application/x-ndjson',
    async handle(ctx, { query }) {
      const { stream, from, to } = await exportChain(ctx, query)
      return { status: 200, stream, contentType: 'application/x-ndjson', changes: { from, to } }
    },
    event: { auditRead: true },
    // A long export holds a connection of the pool now and then.
    lane: { width: 2, queue: 8 },
    example: { query: { from: '2026-01-01' } },
  }),
]
