import { DomainError, fieldError, notFound } from '../../platform/errors/index.ts'
import { isUuid, newId } from '../../platform/ids/index.ts'
import { idParameter, type Loaded, paging } from '../admin-route/index.ts'
import type { Context } from '../context/index.ts'
import { recordEvent } from '../events/index.ts'
import { readSettings, type RealmSettings } from '../settings/index.ts'
import type { SigningKey } from '../signing-keys/index.ts'
import { raiseRealmVersion } from '../snapshot/index.ts'
import type { KeyQuery, RealmKey } from './schema.ts'
import * as store from './store.ts'

// Every key is in the JWKS and in the realm snapshot; beyond this the JWKS would be more than 100 KB.
export const maxKeys = 200

/** Where a sealed private key belongs; moved to another row it does not open. */
export function privateKeyPlace(realmId: string, keyId: string): string {
  return `realm_keys:${realmId}:${keyId}:private_key`
}

export async function listKeys(ctx: Context, query: KeyQuery) {
  const page = paging(query)
  if (page.after !== null && !isUuid(page.after)) throw fieldError('after', 'after is the id of a key')
  const rows = await store.selectKeys(ctx.tx, ctx.realmId, page)
  const lifetimeMs = longestTokenLifetimeMs(await readSettings(ctx))
  const total = query.count === 'true' ? await store.countKeys(ctx.tx, ctx.realmId) : null
  return { keys: rows.map((row) => toKey(row, lifetimeMs)), page, total }
}

export async function loadKey(ctx: Context, keyId: string | undefined, forUpdate: boolean): Promise<Loaded<RealmKey>> {
  const id = idParameter(keyId)
  if (forUpdate) await store.lockKeys(ctx.tx, ctx.realmId)
  const row = await store.selectKey(ctx.tx, ctx.realmId, id)
  if (!row) throw notFound()
  return { record: toKey(row, longestTokenLifetimeMs(await readSettings(ctx))), version: row.version }
}

/** Puts a new signer in place; the one before stays published and verifies what it signed. */
export async function rotateRealmKey(
  ctx: Context,
  key: SigningKey,
): Promise<{ key: RealmKey; previousKeyId: string | null }> {
  await store.lockKeys(ctx.tx, ctx.realmId)
  if ((await store.countKeys(ctx.tx, ctx.realmId)) >= maxKeys) {
    throw new DomainError('limit_reached', `The realm already has ${maxKeys} keys; delete retired ones first.`)
  }
  const previous = await store.selectActiveKey(ctx.tx, ctx.realmId)
  // A rotation that waited for another one began earlier and ends later: the clock of the one before is the lower bound.
  const now = previous ? Math.max(ctx.now, previous.created_at + 1) : ctx.now
  if (previous) await store.retireKey(ctx.tx, ctx.realmId, previous.id, now)
  const keyId = await insertSigningKey(ctx, key, now)
  await raiseRealmVersion(ctx)
  await recordEvent(ctx, {
    type: 'KEY_ROTATED',
    outcome: 'SUCCESS',
    resourceType: 'keys',
    resourceId: keyId,
    detail: JSON.stringify({ previousKeyId: previous?.id ?? null }),
  })
  const row = await store.selectKey(ctx.tx, ctx.realmId, keyId)
  return { key: toKey(row!, 0), previousKeyId: previous?.id ?? null }
}

/** Seals the private half and stores the key as the one that signs. */
export async function insertSigningKey(ctx: Context, key: SigningKey, now: number): Promise<string> {
  const id = newId(now)
  await store.insertKey(ctx.tx, {
    realm_id: ctx.realmId,
    id,
    size: key.size,
    public_key: key.publicKey,
    certificate: key.certificate,
    private_key_sealed: ctx.services.sealer.seal(key.privateKey, privateKeyPlace(ctx.realmId, id)),
    created_at: now,
  })
  return id
}

/** Removes a retired key. Before its time that is allowed, and the audit trail says what it does (contract 2.63). */
export async function deleteKey(
  ctx: Context,
  key: RealmKey,
): Promise<{ keyId: string; tokensCutOff: boolean; note?: string }> {
  if (key.status === 'ACTIVE') throw new DomainError('key_active', 'The key signs at the moment; rotate first.')
  const early = key.deletableAt !== null && ctx.now < key.deletableAt
  const changes = {
    keyId: key.keyId,
    tokensCutOff: early,
    ...(early
      ? { note: `Deleted before ${new Date(key.deletableAt!).toISOString()}: live tokens signed by it are cut off.` }
      : {}),
  }
  await store.deleteKeyRow(ctx.tx, ctx.realmId, key.keyId)
  await raiseRealmVersion(ctx)
  await recordEvent(ctx, {
    type: 'KEY_DELETED',
    outcome: 'SUCCESS',
    resourceType: 'keys',
    resourceId: key.keyId,
    detail: JSON.stringify(changes),
  })
  return changes
}

/** Refresh tokens live longest by default, but each lifetime is the realm's own choice. */
function longestTokenLifetimeMs(settings: RealmSettings): number {
  const { accessTokenLifetimeSeconds, idTokenLifetimeSeconds, refreshTokenLifetimeSeconds } = settings
  return Math.max(accessTokenLifetimeSeconds, idTokenLifetimeSeconds, refreshTokenLifetimeSeconds) * 1000
}

function toKey(row: store.PublicKeyRow, lifetimeMs: number): RealmKey {
  return {
    keyId: row.id,
    algorithm: 'RSA',
    status: row.rotated_at === null ? 'ACTIVE' : 'RETIRED',
    publicKey: row.public_key,
    createdAt: row.created_at,
    rotatedAt: row.rotated_at,
    certificate: row.certificate,
    size: row.size,
    deletableAt: row.rotated_at === null ? null : row.rotated_at + lifetimeMs,
  }
}
