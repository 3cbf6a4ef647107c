import { DomainError, fieldError, notFound } from '../../../platform/errors/index.ts'
import { isUuid } from '../../../platform/ids/index.ts'
import { idParameter, type Loaded, paging } from '../../admin-route/index.ts'
import type { Context } from '../../context/index.ts'
import { DeviceName, removeDevice } from '../../devices/index.ts'
import { recordEvent } from '../../events/index.ts'
import { assertMayActOn } from '../../permissions/index.ts'
import { forgetDevices } from '../../trusted-devices/index.ts'
import { removePassword } from '../password/index.ts'
import type { User } from '../schema.ts'
import { loadUser } from '../service.ts'
import { toCredential, verifiedAddresses } from './record.ts'
import type { Credential, CredentialQuery } from './schema.ts'
import * as store from './store.ts'

/** Newest first, and behind them the verified addresses, which have no time of their own. */
export async function listCredentials(ctx: Context, userId: string | undefined, query: CredentialQuery) {
  const page = paging(query)
  if (page.after !== null && !isUuid(page.after)) throw fieldError('after', 'after is the id of a credential')
  const { record: user } = await loadUser(ctx, userId, false)
  const rows = await store.selectCredentials(ctx.tx, ctx.realmId, user.userId)
  const stored = rows.map(toCredential)
  const addresses = verifiedAddresses(user)
  const total = query.count === 'true' ? stored.length + addresses.length : null
  return { credentials: pick([stored, addresses], page), page, total }
}

/** A person has few credentials, so the page is cut here; one more than it holds tells that there is a next. */
function pick(
  [stored, addresses]: [Credential[], Credential[]],
  { after, offset, limit }: { after: string | null; offset: number; limit: number },
): Credential[] {
  if (after === null) return [...stored, ...addresses].slice(offset, offset + limit + 1)
  const at = addresses.findIndex(({ id }) => id === after)
  const rest = at >= 0 ? addresses.slice(at + 1) : [...stored.filter(({ id }) => id < after), ...addresses]
  return rest.slice(0, limit + 1)
}

/** Locks the user first, like every other change of a person, and then looks for the credential of that person and type. */
export async function loadCredential(
  ctx: Context,
  params: Record<string, string>,
  forUpdate: boolean,
): Promise<Loaded<Credential>> {
  const { record: user } = await loadUser(ctx, params.userId, forUpdate)
  const id = idParameter(params.id)
  const row = await store.selectCredential(ctx.tx, ctx.realmId, user.userId, id)
  if (row && row.type === params.type) return { record: toCredential(row), version: row.version }
  const address = verifiedAddresses(user).find((entry) => entry.id === id && entry.type === params.type)
  if (!address) throw notFound()
  return { record: address, version: 1 }
}

export async function readCredential(ctx: Context, userId: string, id: string): Promise<Credential> {
  const row = await store.selectCredential(ctx.tx, ctx.realmId, userId, id)
  if (!row) throw notFound()
  return toCredential(row)
}

/** Whoever holds more than the caller keeps their factors as they are (contract 5.2), and nobody signs in as a service. */
export async function assertMayGiveFactor(ctx: Context, user: User): Promise<void> {
  await assertMayActOn(ctx, user.userId)
  if (user.serviceAccountClientId !== null) {
    throw new DomainError('protected', 'A service account has no factors; nobody signs in as one.')
  }
}

/** A browser that was trusted because of this factor is asked again. */
export async function removeCredential(ctx: Context, userId: string, credential: Credential): Promise<void> {
  await assertMayActOn(ctx, userId)
  refuseAddress(credential)
  if (credential.type === 'device') return removeDevice(ctx, userId, credential.id)
  if (credential.type === 'password') await removePassword(ctx, userId)
  else await store.deleteCredentialRow(ctx.tx, ctx.realmId, userId, credential.id)
  await forgetDevices(ctx, userId)
  await recordEvent(ctx, {
    type: 'CREDENTIAL_REMOVED',
    outcome: 'SUCCESS',
    resourceType: 'users',
    resourceId: userId,
    detail: JSON.stringify({ type: credential.type, id: credential.id }),
    detailSubject: userId,
  })
}

export async function renameCredential(
  ctx: Context,
  userId: string,
  credential: Credential,
  label: string | null,
): Promise<Credential> {
  await assertMayActOn(ctx, userId)
  refuseAddress(credential)
  if (credential.type === 'device') checkDeviceName(label)
  await store.updateLabel(ctx.tx, ctx.realmId, userId, credential.id, label)
  return { ...credential, label }
}

/** The label of a device is its name, which people see in lists and mails. */
function checkDeviceName(label: string | null): void {
  const { error } = DeviceName.safeParse(label)
  if (error) throw fieldError('label', label === null ? 'A device has a name.' : error.issues[0]!.message)
}

/** They follow from the user's record, so they change there. */
function refuseAddress({ type }: Credential): void {
  if (type === 'sms')
    throw new DomainError('conflict', 'It exists while the phone number is verified: change the number.')
  if (type === 'email')
    throw new DomainError('conflict', 'It exists while the e-mail address is verified: set emailVerified to false.')
}
