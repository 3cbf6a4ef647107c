import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { hmac } from '../../platform/crypto/index.ts'
import type { Executor } from '../../platform/db/index.ts'
import { derivedId } from '../../platform/ids/index.ts'
import { foldName } from '../../platform/text/index.ts'
import type { Context, Services } from '../context/index.ts'
import { deleteAuditKeys } from './retention-store.ts'
import { insertAuditKey, insertPersonKey, readAuditKey, readAuditKeys } from './store.ts'

// Opened keys per process. Thousands of active people at about 200 bytes each; a key of an erased person leaves by age.
const cacheOptions = { max: 20_000, ttl: 5 * 60_000 }
// By sealer, so that two services in one process never share opened keys.
const caches = new WeakMap<object, LRUCache<string, Buffer>>()

function cacheOf(services: Services): LRUCache<string, Buffer> {
  let cache = caches.get(services.sealer)
  if (!cache) {
    cache = new LRUCache(cacheOptions)
    caches.set(services.sealer, cache)
  }
  return cache
}

export const auditKeyPlace = (realmId: string, id: string) => `audit_keys:${realmId}:${id}:key`

/** The id of the key for people the realm does not know: one for each month, so that it can be destroyed with the month. */
export function unknownSubjectKeyId(realmId: string, now: number): string {
  return keyId(realmId, `audit-month:${monthOf(now)}`)
}

// Derived ids and hashed addresses of busy realms: a few words each, made thousands of times a second otherwise.
const ids = new LRUCache<string, string>({ max: 20_000 })
const addresses = new LRUCache<string, Buffer>({ max: 20_000 })

function keyId(realmId: string, name: string): string {
  const key = `${realmId}\n${name}`
  let id = ids.get(key)
  if (id === undefined) ids.set(key, (id = derivedId(realmId, name)))
  return id
}

let month = { from: 0, to: 0, text: '' }

function monthOf(now: number): string {
  if (now < month.from || now >= month.to) {
    const date = new Date(now)
    const [year, index] = [date.getUTCFullYear(), date.getUTCMonth()]
    month = { from: Date.UTC(year, index), to: Date.UTC(year, index + 1), text: date.toISOString().slice(0, 7) }
  }
  return month.text
}

/** The key with this id, made when it is missing. */
export async function useAuditKey(ctx: Context, realmId: string, id: string): Promise<Buffer> {
  return (await findOrMakeKey(ctx, realmId, id, insertAuditKey))!
}

/**
 * The key of a person, made when it is missing. Of somebody who is not there (any more) none is kept: what is sealed for them
 * under the key of this moment is as unreadable as all that was sealed before they were erased.
 */
export async function usePersonKey(ctx: Context, realmId: string, userId: string): Promise<Buffer> {
  return (await findOrMakeKey(ctx, realmId, userId, insertPersonKey)) ?? randomBytes(32)
}

type KeyInsert = (
  tx: Context['tx'],
  key: { realmId: string; id: string; sealed: Buffer; now: number },
) => Promise<Buffer | null>

async function findOrMakeKey(ctx: Context, realmId: string, id: string, insert: KeyInsert): Promise<Buffer | null> {
  const { services } = ctx
  const cache = cacheOf(services)
  const cacheKey = `${realmId}:${id}`
  const cached = cache.get(cacheKey)
  if (cached) return cached
  const place = auditKeyPlace(realmId, id)
  const makeSealed = () => services.sealer.seal(randomBytes(32), place)
  const sealed =
    (await readAuditKey(ctx.tx, realmId, id)) ??
    (await insert(ctx.tx, { realmId, id, sealed: makeSealed(), now: ctx.now }))
  if (!sealed) return null
  const key = services.sealer.open(sealed, place)
  // Only once it is committed: a key of a transaction that was rolled back exists nowhere else.
  ctx.afterCommit(() => cache.set(cacheKey, key))
  return key
}

/**
 * What is sealed for this person can never be read again, on no node: whoever reads takes the key from the database. Another
 * node may seal under the key it still has for some minutes, which nobody can open either.
 */
export async function destroyAuditKey(ctx: Context, userId: string): Promise<void> {
  await deleteAuditKeys(ctx.tx, ctx.realmId, [userId])
  ctx.afterCommit(() => cacheOf(ctx.services).delete(`${ctx.realmId}:${userId}`))
}

/** Whether anything sealed for this person could still be read, also when the person is no longer there. */
export async function hasAuditKey({ tx, realmId }: Context, userId: string): Promise<boolean> {
  return (await readAuditKey(tx, realmId, userId)) !== null
}

/** Opens the keys with these ids, looking in the realm and then in the system realm, whose people act here too. */
export async function openAuditKeys(
  services: Services,
  db: Executor,
  realmIds: string[],
  ids: string[],
): Promise<Map<string, Buffer>> {
  const keys = new Map<string, Buffer>()
  for (const realmId of realmIds) {
    const missing = ids.filter((id) => !keys.has(id))
    if (missing.length === 0) break
    for (const row of await readAuditKeys(db, realmId, missing)) {
      keys.set(row.id, services.sealer.open(row.key_sealed, auditKeyPlace(realmId, row.id)))
    }
  }
  return keys
}

/** The keyed hash by which sealed values can still be searched. */
export async function auditFilterKey(ctx: Context): Promise<Buffer> {
  return useAuditKey(ctx, ctx.realmId, filterKeyId(ctx.realmId))
}

export function filterKeyId(realmId: string): string {
  return keyId(realmId, 'audit-filter')
}

export function hashAddress(key: Buffer, sourceIp: string): Buffer {
  const known = `${key.toString('latin1')}${sourceIp}`
  let hashed = addresses.get(known)
  if (!hashed) addresses.set(known, (hashed = hmac(key, `ip:${sourceIp}`).subarray(0, 16)))
  return hashed
}

export function hashTypedName(key: Buffer, name: string): string {
  return `name:${hmac(key, `name:${foldName(name)}`)
    .toString('hex')
    .slice(0, 32)}`
}
