import { type AnyAdminRoute, adminRoute } from '../../admin-route/index.ts'
import { type AuditConfig, type AuditConfigInput, auditConfig, auditConfigInput } from './schema.ts'
import { loadAuditConfig, maskForCaller, replaceAuditConfig } from './service.ts'

export const auditConfigRoutes: AnyAdminRoute[] = [
  adminRoute<Record<string, never>, undefined, AuditConfig>({
    method: 'GET',
    path: '/audit/config',
    scope: 'server',
    permission: { anyOf: ['view-events'] },
    summary: 'Read where audit events are emitted',
    response: { 200: auditConfig },
    load: (ctx, _params, forUpdate) => loadAuditConfig(ctx, forUpdate),
    handle: async (ctx, { loaded }) => ({ status: 200, body: maskForCaller(ctx, loaded.record) }),
    example: {},
  }),
  adminRoute<Record<string, never>, AuditConfigInput, AuditConfig>({
    method: 'PUT',
    path: '/audit/config',
    scope: 'server',
    permission: { system: true },
    summary: 'Change where audit events are emitted',
    description:
      'Every event goes to standard output and into the database whatever is set here. The receiver gets one JSON event per ' +
      'line (application/x-ndjson). With GATEHOUSE_AUDIT_HTTP_… set the configuration is read-only.',
    body: auditConfigInput,
    response: { 200: auditConfig },
    errors: ['protected', 'precondition_failed'],
    load: (ctx, _params, forUpdate) => loadAuditConfig(ctx, forUpdate),
    async handle(ctx, { body }) {
      const { record, version } = await replaceAuditConfig(ctx, body)
      return { status: 200, body: record, version }
    },
    event: { resourceType: 'audit-config' },
    example: {
      body: {
        enabled: false,
        httpUrl: 'https://collector.example.com/audit',
        categories: ['AUTHN', 'ADMIN'],
        timeoutMs: 2000,
      },
    },
  }),
]
