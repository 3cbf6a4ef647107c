import type { AnyAdminRoute, Result } from '../../domain/admin-route/index.ts'
import type { Context } from '../../domain/context/index.ts'
import { type EventType, recordEvent } from '../../domain/events/index.ts'
import type { DomainError } from '../../platform/errors/index.ts'

// A POST whose path ends in one of these acts on something; every other POST creates (contract 6.2).
const verbs = new Set([
  ...[
    'rotate',
    'test',
    'sync',
    'import',
    'import-url',
    'external',
    'impersonate',
    'activate',
    'suspend',
    'revoke',
    'attest',
    'stage',
  ],
  ...['revoke-all', 'confirm', 'evaluate', 'preview', 'redeliver', 'verify', 'send-actions-email', 'secret', 'bind'],
])

export function eventTypeOf(route: AnyAdminRoute): EventType {
  if (route.event?.type) return route.event.type
  if (route.method === 'GET') return 'ADMIN_READ_SENSITIVE'
  if (route.method === 'DELETE') return 'ADMIN_DELETE'
  if (route.method === 'PUT' || route.method === 'PATCH') return 'ADMIN_UPDATE'
  return verbs.has(route.path.split('/').at(-1)!) ? 'ADMIN_ACTION' : 'ADMIN_CREATE'
}

/** The first segment under the realm, as the specification does for `flows` (contract 2.90). */
export function resourceTypeOf(route: AnyAdminRoute): string {
  return route.event?.resourceType ?? route.path.split('/')[1]!
}

/** The key in the path; the new id on create; the realm's name for what exists once. */
export function resourceIdOf(
  route: AnyAdminRoute,
  params: Record<string, string>,
  realmId: string,
  result?: Result,
): string {
  const first = /\{(\w+)\}/.exec(route.path)?.[1]
  return (first ? params[first] : undefined) ?? result?.resourceId ?? realmId
}

/** One ADMIN event for every write, in its transaction. */
export async function recordWrite(
  ctx: Context,
  route: AnyAdminRoute,
  params: Record<string, string>,
  result: Result,
  before: unknown,
): Promise<void> {
  const changes = result.changes === undefined ? changedMembers(before, result.body) : result.changes
  await recordEvent(ctx, {
    type: eventTypeOf(route),
    outcome: result.outcome ?? 'SUCCESS',
    resourceType: resourceTypeOf(route),
    resourceId: resourceIdOf(route, params, ctx.realmId, result),
    detail: changes ? detailOf(changes) : null,
    detailSubject: route.event?.subject?.(params, result) ?? null,
  })
  const method = route.method
  ctx.afterCommit(() => ctx.services.metrics.adminWrite(ctx.realmId, method, 'success'))
}

// Events cut longer details off, and half a document is no JSON.
const maxDetailLength = 8000

function detailOf(changes: Record<string, unknown>): string | null {
  const members = Object.keys(changes)
  if (members.length === 0) return null
  const text = JSON.stringify(changes)
  return text.length <= maxDetailLength ? text : JSON.stringify({ changed: members })
}

/** A refused write is an event of the same type with the reason (contract 2.89). */
export async function recordDenial(
  ctx: Context,
  route: AnyAdminRoute,
  params: Record<string, string>,
  error: DomainError,
): Promise<void> {
  const resource = { resourceType: resourceTypeOf(route), resourceId: resourceIdOf(route, params, ctx.realmId) }
  await recordEvent(ctx, { type: eventTypeOf(route), outcome: 'FAILURE', ...resource, detail: `denied: ${error.code}` })
  if (error.code === 'csrf_invalid') {
    await recordEvent(ctx, { type: 'CSRF_REJECTED', outcome: 'FAILURE', ...resource })
  }
  const method = route.method
  ctx.afterCommit(() => ctx.services.metrics.adminWrite(ctx.realmId, method, 'denied'))
}

// Shown once to the caller and never to the audit trail. Names, because a secret has the same name on every route.
const secretMembers = new Set([
  'secret',
  'adminPassword',
  'password',
  'newPassword',
  'token',
  'codes',
  'enrollmentToken',
  'privateKey',
])

/** What differs between the record before and after; everything that is set when there was none before. */
export function changedMembers(before: unknown, after: unknown): Record<string, unknown> | null {
  if (!isRecord(after)) return null
  const old = isRecord(before) ? before : {}
  const changes: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(after)) {
    if (secretMembers.has(name)) continue
    const same = JSON.stringify(old[name] ?? null) === JSON.stringify(value ?? null)
    if (!same) changes[name] = isRecord(value) ? changedMembers(old[name], value) : value
  }
  return changes
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
