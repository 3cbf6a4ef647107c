import { brokenUnique } from '../../platform/db/index.ts'
import { DomainError, type FieldError, fieldError, notFound } from '../../platform/errors/index.ts'
import { newId } from '../../platform/ids/index.ts'
import { foldName } from '../../platform/text/index.ts'
import type { Loaded } from '../admin-route/index.ts'
import { idParameter } from '../admin-route/index.ts'
import { type Context, react } from '../context/index.ts'
import { adjustCounter } from '../counters/index.ts'
import { recordEvent } from '../events/index.ts'
import { revokeSecrets } from '../one-time-secrets/index.ts'
import { assertMayActOn, holdsRealmAdmin, keepAnAdministrator } from '../permissions/index.ts'
import { readSettings } from '../settings/index.ts'
import { type AttributeMap, attributeHashes, foldedAttribute } from './attributes.ts'
import { toUser } from './record.ts'
import type { User, UserInput, UserReplacement } from './schema.ts'
import {
  clearAttempts,
  deleteUserRow,
  insertUser,
  insertUserRole,
  lockUser,
  replaceAttributeIndex,
  replaceLoginNames,
  selectDefaultRoleId,
  selectTakenNames,
  selectUsers,
  updateUser,
  type UserValues,
} from './store.ts'

export async function loadUser(ctx: Context, userId: string | undefined, forUpdate: boolean): Promise<Loaded<User>> {
  const user = await findLoaded(ctx, idParameter(userId), forUpdate)
  if (!user) throw notFound()
  return user
}

/** The same where it may be that nobody is there. */
export async function findUser(ctx: Context, userId: string, forUpdate: boolean): Promise<User | null> {
  return (await findLoaded(ctx, userId, forUpdate))?.record ?? null
}

async function findLoaded(ctx: Context, id: string, forUpdate: boolean): Promise<Loaded<User> | null> {
  if (forUpdate && !(await lockUser(ctx.tx, ctx.realmId, id))) return null
  const [user] = await readUsers(ctx, [id])
  return user ?? null
}

/** In the order of the ids. Most people have nothing that could count as a factor; then the policy is not asked. */
export async function readUsers(ctx: Context, ids: string[]): Promise<Loaded<User>[]> {
  const rows = await selectUsers(ctx.tx, ctx.realmId, ids)
  const hasFactors = rows.some((row) => row.factors.length > 0)
  const allowed = hasFactors ? (await readSettings(ctx)).mfaPolicy.allowed : []
  return rows.map((row) => ({ record: toUser(ctx.realmId, row, ctx.now, allowed), version: row.version }))
}

export async function createUser(
  ctx: Context,
  input: UserInput,
  options: { serviceAccountClientId?: string } = {},
): Promise<User> {
  const id = newId(ctx.now)
  const values = valuesOf({ ...input, attributes: input.attributes ?? {} })
  await assertNamesFree(ctx, values, null)
  await insertUser(ctx.tx, {
    ...values,
    realm_id: ctx.realmId,
    id,
    created_at: ctx.now,
    service_account_client_id: options.serviceAccountClientId ?? null,
  })
  await writeNames(ctx, id, values)
  await replaceAttributeIndex(ctx.tx, ctx.realmId, id, attributeHashes(input.attributes ?? {}))
  const defaultRoleId = await selectDefaultRoleId(ctx.tx, ctx.realmId)
  if (defaultRoleId) await insertUserRole(ctx.tx, ctx.realmId, id, defaultRoleId, ctx.now)
  await adjustCounter(ctx, 'users', 1)
  return (await loadUser(ctx, id, false)).record
}

/** Replaces the writable members; omitted attributes are kept (contract 2.41). */
export async function replaceUser(ctx: Context, before: User, input: UserReplacement): Promise<User> {
  if (input.roles && !sameSet(input.roles, before.roles)) {
    throw fieldError('roles', 'Roles are managed under /users/{userId}/roles.')
  }
  const attributes = (input.attributes ?? before.attributes) as AttributeMap
  const values = valuesOf({ ...input, attributes })
  await assertMayChange(ctx, before, values, input)
  await assertNamesFree(ctx, values, before.userId)
  const change = async () => {
    await updateUser(ctx.tx, ctx.realmId, before.userId, {
      ...values,
      updated_at: ctx.now,
      ...phoneVerification(before, values.phone, input.phoneVerified),
      ...(input.locked === before.locked ? {} : { locked: input.locked, locked_until: null }),
    })
  }
  if (before.enabled && !input.enabled && (await holdsRealmAdmin(ctx, before.userId)))
    await keepAnAdministrator(ctx, change)
  else await change()
  await writeNames(ctx, before.userId, values)
  await replaceAttributeIndex(ctx.tx, ctx.realmId, before.userId, attributeHashes(attributes))
  // A code or link on its way went to the address of before (S41).
  if (values.email !== before.email || values.phone !== before.phone) await revokeSecrets(ctx, before.userId)
  await followState(ctx, before, input)
  return (await loadUser(ctx, before.userId, false)).record
}

/** A number that changes has to be proved anew; of one that stays an administrator may say that it was. */
function phoneVerification(before: User, phone: string | null, verified: boolean | undefined) {
  if (phone !== before.phone || phone === null) return { phone_verified: false }
  return verified === undefined ? {} : { phone_verified: verified }
}

/** Whoever holds more than the caller keeps their address, their freedom and their names (contract 5.2). */
async function assertMayChange(ctx: Context, before: User, values: UserValues, input: UserReplacement): Promise<void> {
  const harmless =
    values.email === before.email &&
    values.username === before.username &&
    values.phone === before.phone &&
    input.enabled === before.enabled &&
    input.locked === before.locked &&
    input.emailVerified === before.emailVerified &&
    (input.phoneVerified ?? before.phoneVerified) === before.phoneVerified &&
    sameSet(input.requiredActions, before.requiredActions)
  if (!harmless) await assertMayActOn(ctx, before.userId)
}

async function followState(ctx: Context, before: User, input: UserReplacement): Promise<void> {
  if (before.enabled && !input.enabled) await react(ctx, 'userDisabled', before.userId)
  if (before.locked === input.locked) return
  if (input.locked) await react(ctx, 'userLocked', before.userId)
  else await clearAttempts(ctx.tx, ctx.realmId, before.userId)
  const type = input.locked ? 'USER_LOCKED' : 'USER_UNLOCKED'
  await recordEvent(ctx, { type, outcome: 'SUCCESS', resourceType: 'users', resourceId: before.userId })
}

/** A hold that deleting somebody could get around would be none. */
export async function assertMayDelete(ctx: Context, user: User): Promise<void> {
  await assertMayActOn(ctx, user.userId)
  if (isHeld(user))
    throw new DomainError('legal_hold', 'The user is under a legal hold: clear the attribute legalHold.')
}

/** Attributes are text; whatever does not clearly say no counts, since nothing brings an erased person back. */
function isHeld({ attributes }: User): boolean {
  const values = [attributes.legalHold ?? []].flat()
  return values.some((value) => !['', 'false'].includes(value.trim().toLowerCase()))
}

export async function deleteUser(ctx: Context, user: User): Promise<void> {
  await assertMayDelete(ctx, user)
  const remove = async () => {
    await react(ctx, 'userDeleted', user.userId)
    await deleteUserRow(ctx.tx, ctx.realmId, user.userId)
  }
  if (await holdsRealmAdmin(ctx, user.userId)) await keepAnAdministrator(ctx, remove)
  else await remove()
  await adjustCounter(ctx, 'users', -1)
}

function valuesOf(input: UserInput & { attributes: AttributeMap }): UserValues {
  return {
    username: input.username,
    username_folded: foldName(input.username),
    email: input.email ?? null,
    email_folded: input.email ? foldName(input.email) : null,
    email_verified: input.email ? input.emailVerified : false,
    phone: input.phone ?? null,
    locale: input.locale ?? null,
    enabled: input.enabled,
    attributes: JSON.stringify(input.attributes),
    first_name_folded: foldedAttribute(input.attributes, 'firstName'),
    last_name_folded: foldedAttribute(input.attributes, 'lastName'),
    required_actions: [...new Set(input.requiredActions)],
  }
}

async function assertNamesFree(ctx: Context, values: UserValues, userId: string | null): Promise<void> {
  const names = [values.username_folded, ...(values.email_folded ? [values.email_folded] : [])]
  const taken = await selectTakenNames(ctx.tx, ctx.realmId, names, userId)
  if (taken.size > 0)
    throw namesTaken(taken.has(values.username_folded), values.email_folded !== null && taken.has(values.email_folded))
}

async function writeNames(ctx: Context, userId: string, values: UserValues): Promise<void> {
  const names = [{ name: values.username_folded, kind: 'USERNAME' as const }]
  const ownEmail = values.email_folded !== null && values.email_folded !== values.username_folded
  try {
    await replaceLoginNames(ctx.tx, ctx.realmId, userId, [
      ...names,
      ...(ownEmail ? [{ name: values.email_folded!, kind: 'EMAIL' as const }] : []),
    ])
  } catch (error) {
    // Two writers took the same name at the same moment; the other one was first.
    if (brokenUnique(error) !== null) throw namesTaken(true, false)
    throw error
  }
}

function namesTaken(username: boolean, email: boolean): DomainError {
  const entry = (field: string): FieldError => ({
    field,
    code: 'conflict',
    message: 'Another user of the realm has this name.',
  })
  const fields = [...(username ? [entry('username')] : []), ...(email ? [entry('email')] : [])]
  return new DomainError('conflict', 'Another user of the realm has this username or e-mail address.', { fields })
}

function sameSet(a: string[], b: string[]): boolean {
  return a.length === b.length && new Set([...a, ...b]).size === new Set(b).size
}
