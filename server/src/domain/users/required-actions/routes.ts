import { type AnyAdminRoute, adminRoute } from '../../admin-route/index.ts'
import { exampleUser } from '../routes.ts'
import { RequiredActions, RequiredActionsInput } from './schema.ts'
import { actionsOf, loadRequiredActions, setRequiredActions } from './service.ts'

const path = '/users/{userId}/required-actions'
const write = { anyOf: ['manage-users'] } as const
const event = { subject: (params: Record<string, string>) => params.userId ?? null }
const example = { fixture: exampleUser, body: { requiredActions: ['UPDATE_PASSWORD', 'VERIFY_EMAIL'] } }

export const requiredActionRoutes: AnyAdminRoute[] = [
  adminRoute({
    method: 'GET',
    path,
    permission: { anyOf: ['view-users'] },
    summary: 'Read what a user must do at the next sign-in',
    response: { 200: RequiredActions },
    load: (ctx, params) => loadRequiredActions(ctx, params.userId, false),
    example: { fixture: exampleUser },
  }),
  adminRoute({
    method: 'PUT',
    path,
    permission: write,
    summary: 'Replace what a user must do at the next sign-in',
    body: RequiredActionsInput,
    response: { 200: RequiredActions },
    errors: ['escalation'],
    event,
    load: (ctx, params, forUpdate) => loadRequiredActions(ctx, params.userId, forUpdate),
    example,
    async handle(ctx, { params, body, loaded }) {
      const result = await setRequiredActions(ctx, params.userId!, actionsOf(body))
      return { status: 200, body: result, version: loaded.version + 1 }
    },
  }),
  adminRoute({
    method: 'POST',
    path,
    permission: write,
    summary: 'Add to what a user must do at the next sign-in',
    body: RequiredActionsInput,
    response: { 200: RequiredActions },
    errors: ['escalation'],
    event: { ...event, type: 'ADMIN_UPDATE' },
    load: (ctx, params, forUpdate) => loadRequiredActions(ctx, params.userId, forUpdate),
    example,
    async handle(ctx, { params, body, loaded }) {
      const result = await setRequiredActions(ctx, params.userId!, [
        ...loaded.record.requiredActions,
        ...actionsOf(body),
      ])
      return { status: 200, body: result, version: loaded.version + 1 }
    },
  }),
]
