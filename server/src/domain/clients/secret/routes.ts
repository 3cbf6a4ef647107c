import { type AnyAdminRoute, adminRoute } from '../../admin-route/index.ts'
import { exampleClientId } from '../example.ts'
import { ClientSecret, RegeneratedSecret, RegenerateInput } from './schema.ts'
import { regenerateSecret, revealSecret } from './service.ts'

const permission = { anyOf: ['manage-clients'] } as const

export const secretRoutes: AnyAdminRoute[] = [
  adminRoute({
    method: 'GET',
    path: '/clients/{id}/secret',
    permission,
    summary: 'Reveal the secret of a client',
    description:
      'Recorded as SECRET_REVEALED. 403 where the realm does not allow it (clientSecretRevealAllowed) and for a client that can do more than you; 404 when the client has no secret.',
    response: { 200: ClientSecret },
    errors: ['escalation'],
    event: { type: 'SECRET_REVEALED', auditRead: true },
    example: { fixture: exampleClientId },
    async handle(ctx, { params }) {
      return { status: 200, body: await revealSecret(ctx, params.id) }
    },
  }),
  adminRoute({
    method: 'POST',
    path: '/clients/{id}/secret',
    permission,
    summary: 'Regenerate the secret of a client',
    description: 'The secret before stays valid for `graceSeconds`, so that a rotation interrupts nobody.',
    body: RegenerateInput,
    response: { 200: RegeneratedSecret },
    errors: ['conflict', 'escalation'],
    example: { fixture: exampleClientId, body: { graceSeconds: 3600 } },
    async handle(ctx, { params, body }) {
      const result = await regenerateSecret(ctx, params.id, body)
      return { status: 200, body: result, changes: { previousSecretExpiresAt: result.previousSecretExpiresAt } }
    },
  }),
]
