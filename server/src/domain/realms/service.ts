import { newToken } from '../../platform/crypto/index.ts'
import { conflictError, DomainError, fieldError } from '../../platform/errors/index.ts'
import type { Loaded } from '../admin-route/index.ts'
import { applySeeds, type Context, currentSeedVersion, jobActor, type RealmSeed } from '../context/index.ts'
import { adjustCounter } from '../counters/index.ts'
import { defaultSettings } from '../settings/index.ts'
import { raiseRealmVersion } from '../snapshot/index.ts'
import { purgeRealmJob } from './purge.ts'
import type { Realm, RealmInput } from './schema.ts'
import { insertRealm, markRealmDeleted, type RealmRow, selectRealm, updateRealm } from './store.ts'

export function toRealm(row: RealmRow): Realm {
  return { realmId: row.realm_id, displayName: row.display_name, enabled: row.enabled, createdAt: row.created_at }
}

export async function loadRealm(
  ctx: Context,
  realmId: string | undefined,
  forUpdate: boolean,
): Promise<Loaded<Realm & { system: boolean }>> {
  const row = realmId ? await selectRealm(ctx.tx, realmId, forUpdate) : undefined
  if (!row || !maySee(ctx, row.realm_id)) throw new DomainError('realm_not_found', 'There is no realm of this name.')
  return { record: { ...toRealm(row), system: row.system }, version: row.version }
}

/** Administrators of other realms see their own one only. */
export function maySee(ctx: Context, realmId: string): boolean {
  return visibleRealm(ctx) === null || visibleRealm(ctx) === realmId
}

export function visibleRealm(ctx: Context): string | null {
  if (ctx.actor.kind !== 'USER') return null
  const everything =
    ctx.actor.realmId === ctx.services.config.bootstrap.realm && ctx.actor.permissions.has('realm-admin')
  return everything ? null : ctx.actor.realmId
}

export interface PreparedRealm {
  seed: RealmSeed
  generatedPassword: string | null
}

/** Hashing and the signing key, before any transaction. */
export async function prepareRealm(ctx: Context, input: RealmInput): Promise<PreparedRealm> {
  const { passwords, keySource } = ctx.services
  const policy = defaultSettings.passwordPolicy
  const given = input.adminPassword
  if (given !== undefined) {
    const { errors } = await passwords.checkPassword(policy, {
      password: given,
      username: input.adminUsername,
      email: input.adminEmail ?? null,
      history: [],
    })
    if (errors.length > 0) {
      throw new DomainError('validation_failed', 'The password of the administrator is refused.', {
        fields: errors.map((error) => ({ field: 'adminPassword', ...error })),
      })
    }
  }
  const password = given ?? newToken().slice(0, 24)
  const [hash, signingKey] = await Promise.all([passwords.hash(password, policy), keySource.take()])
  return {
    generatedPassword: given === undefined ? password : null,
    seed: {
      adminUsername: input.adminUsername,
      adminEmail: input.adminEmail ?? null,
      adminPasswordHash: hash,
      passwordTemporary: given === undefined,
      signingKey,
    },
  }
}

/** A realm with everything each folder seeds: roles, the administrator, a key, settings. */
export async function createRealm(
  ctx: Context,
  realm: { name: string; displayName: string | null; system: boolean },
  seed: RealmSeed,
): Promise<Realm> {
  if (
    !(await insertRealm(ctx.tx, {
      realmId: realm.name,
      displayName: realm.displayName,
      system: realm.system,
      seedVersion: currentSeedVersion(ctx.services.contributions),
      now: ctx.now,
    }))
  ) {
    throw conflictError('name', 'There is a realm of this name, or one that is still being removed.')
  }
  const seeding: Context = { ...ctx, realmId: realm.name, actor: jobActor }
  for (const contribution of ctx.services.contributions) await contribution.seed?.(seeding, seed)
  await applySeeds(seeding, 1)
  await adjustCounter(seeding, 'realms', 1)
  ctx.afterCommit(() => {
    ctx.services.snapshots.drop(realm.name)
    ctx.services.metrics.ensureRealm(realm.name)
  })
  return { realmId: realm.name, displayName: realm.displayName, enabled: true, createdAt: ctx.now }
}

export async function replaceRealm(
  ctx: Context,
  before: Realm & { system: boolean },
  values: { displayName: string | null; enabled: boolean },
): Promise<Realm> {
  if (before.system && !values.enabled) throw new DomainError('protected', 'The system realm cannot be disabled.')
  await updateRealm(ctx.tx, before.realmId, { display_name: values.displayName, enabled: values.enabled })
  await raiseRealmVersion({ ...ctx, realmId: before.realmId })
  return {
    realmId: before.realmId,
    displayName: values.displayName,
    enabled: values.enabled,
    createdAt: before.createdAt,
  }
}

/** Marks the realm, which hides it everywhere at once; a job removes its rows. */
export async function deleteRealm(
  ctx: Context,
  realm: Realm & { system: boolean },
  confirm: string | undefined,
): Promise<void> {
  if (confirm !== realm.realmId) throw fieldError('confirm', `Repeat the realm's name: ?confirm=${realm.realmId}`)
  if (realm.system) throw new DomainError('protected', 'The system realm cannot be deleted.')
  await markRealmDeleted(ctx.tx, realm.realmId, ctx.now)
  await raiseRealmVersion({ ...ctx, realmId: realm.realmId })
  await ctx.services.jobs.enqueue(ctx.tx, purgeRealmJob, { realmId: realm.realmId })
}
