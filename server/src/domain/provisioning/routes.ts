import { type AnyAdminRoute, adminRoute } from '../admin-route/index.ts'
import { Provisioning, ProvisioningInput } from './schema.ts'
import { loadProvisioning, replaceProvisioning } from './service.ts'

const permission = { anyOf: ['manage-realm'] } as const

export const provisioningRoutes: AnyAdminRoute[] = [
  adminRoute<Record<string, never>, undefined, Provisioning>({
    method: 'GET',
    path: '/provisioning',
    permission,
    summary: 'Read who may come into the realm by themselves',
    response: { 200: Provisioning },
    load: (ctx) => loadProvisioning(ctx, false),
    example: {},
  }),
  adminRoute<Record<string, never>, ProvisioningInput, Provisioning>({
    method: 'PUT',
    path: '/provisioning',
    permission,
    summary: 'Choose who may come into the realm by themselves',
    description:
      'The full desired state: members that are left out get their defaults. Clients that are registered already stay as they are.',
    body: ProvisioningInput,
    response: { 200: Provisioning },
    load: (ctx, _params, forUpdate) => loadProvisioning(ctx, forUpdate),
    example: {
      body: {
        dcrEnabled: true,
        dcrAnonymousAllowed: false,
        dcrAllowedGrantTypes: ['authorization_code', 'refresh_token'],
        dcrAllowedScopes: ['offline_access'],
        dcrAllowedRedirectHosts: ['shop.example.com'],
        dcrClientTtlDays: 90,
      },
    },
    async handle(ctx, { body, loaded }) {
      const { record, version } = await replaceProvisioning(ctx, loaded, body)
      return { status: 200, body: record, version }
    },
  }),
]
