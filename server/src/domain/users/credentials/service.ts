import { fieldError, notFound } from '../../../platform/errors/index.ts'
import { isUuid } from '../../../platform/ids/index.ts'
import { idParameter, type Loaded, paging } from '../../admin-route/index.ts'
import type { Context } from '../../context/index.ts'
import { recordEvent } from '../../events/index.ts'
import { assertMayActOn } from '../../permissions/index.ts'
import { removePassword } from '../password/index.ts'
import { loadUser } from '../service.ts'
import type { Credential, CredentialQuery } from './schema.ts'
import * as store from './store.ts'

export async function listCredentials(ctx: Context, userId: string | undefined, query: CredentialQuery) {
  const page = paging(query)
  if (page.after !== null && !isUuid(page.after)) throw fieldError('after', 'after is the id of a credential')
  const { record: user } = await loadUser(ctx, userId, false)
  const rows = await store.selectCredentials(ctx.tx, ctx.realmId, user.userId, page)
  const total = query.count === 'true' ? await store.countCredentials(ctx.tx, ctx.realmId, user.userId) : null
  return { credentials: rows.map(toCredential), page, total }
}

/** Locks the user first, like every other change of a person, and then looks for the credential of that person and type. */
export async function loadCredential(
  ctx: Context,
  params: Record<string, string>,
  forUpdate: boolean,
): Promise<Loaded<Credential>> {
  const { record: user } = await loadUser(ctx, params.userId, forUpdate)
  const row = await store.selectCredential(ctx.tx, ctx.realmId, user.userId, idParameter(params.id))
  if (!row || row.type !== params.type) throw notFound()
  return { record: toCredential(row), version: row.version }
}

export async function readCredential(ctx: Context, userId: string, id: string): Promise<Credential> {
  const row = await store.selectCredential(ctx.tx, ctx.realmId, userId, id)
  if (!row) throw notFound()
  return toCredential(row)
}

/** Whoever holds more than the caller keeps their factors (contract 5.2). */
export async function removeCredential(ctx: Context, userId: string, credential: Credential): Promise<void> {
  await assertMayActOn(ctx, userId)
  if (credential.type === 'password') await removePassword(ctx, userId)
  else await store.deleteCredentialRow(ctx.tx, ctx.realmId, userId, credential.id)
  await recordEvent(ctx, {
    type: 'CREDENTIAL_REMOVED',
    outcome: 'SUCCESS',
    resourceType: 'users',
    resourceId: userId,
    detail: JSON.stringify({ type: credential.type, id: credential.id }),
    detailSubject: userId,
  })
}

function toCredential(row: store.CredentialRow): Credential {
  return {
    id: row.id,
    type: row.type as Credential['type'],
    label: row.label,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    details: row.details as Record<string, unknown>,
  }
}
