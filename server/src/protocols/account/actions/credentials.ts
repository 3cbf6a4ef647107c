import { z } from 'zod'
import type { Paging } from '../../../domain/admin-route/index.ts'
import type { Context, UserActor } from '../../../domain/context/index.ts'
import type { IssuedEnrollment } from '../../../domain/devices/index.ts'
import { recordEvent } from '../../../domain/events/index.ts'
import { readSettings } from '../../../domain/settings/index.ts'
import {
  type Credential,
  type CredentialQuery,
  listCredentials,
  loadCredential,
  type NewCredential,
  readCredential,
  recordAdded,
  removeCredential,
  renameCredential,
} from '../../../domain/users/credentials/index.ts'
import { makeRecoveryCodes, storeRecoveryCodes } from '../../../domain/users/credentials/recovery-codes/index.ts'
import { confirmTotp, startTotp } from '../../../domain/users/credentials/totp/index.ts'
import { tellOfChange } from '../../../domain/users/notices/index.ts'
import { DomainError, fieldError } from '../../../platform/errors/index.ts'
import { actAsOwner } from './acting.ts'
import { removeOwnDevice, startOwnDevice } from './devices.ts'
import { spend } from './limits.ts'

const startableTypes = ['totp', 'recovery-codes', 'device'] as const

const typeHints: Record<string, string> = {
  password: 'Your password is changed with POST /account/password.',
  webauthn:
    'A passkey is made with POST /account/credentials/webauthn/options, then POST /account/credentials/webauthn.',
  sms: 'sms exists while your telephone number is verified; it is not added here.',
  email: 'email exists while your e-mail address is verified; it is not added here.',
}

/** What a person calls it: one line. */
export const Label = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]+$/u, 'One line of text.')
  .nullable()

export const OwnCredentialInput = z
  .strictObject({
    type: z.enum(startableTypes, {
      error: ({ input }) => typeHints[String(input)] ?? `One of ${startableTypes.join(', ')}.`,
    }),
    label: Label.default(null).describe('What you call it; of a device its own name.'),
  })
  .meta({ id: 'AccountCredentialInput' })
export type OwnCredentialInput = z.infer<typeof OwnCredentialInput>

export async function listOwnCredentials(
  ctx: Context,
  holder: UserActor,
  query: CredentialQuery,
): Promise<{ credentials: Credential[]; page: Paging }> {
  return listCredentials(ctx, holder.userId, query)
}

/** What is answered is shown this once. An app counts from its first good code on, a device once it has proved its key. */
export async function startCredential(
  ctx: Context,
  holder: UserActor,
  { type, label }: OwnCredentialInput,
): Promise<NewCredential | IssuedEnrollment> {
  await spend(ctx, holder, 'changes')
  if (type === 'device') return startOwnDevice(ctx, holder)
  return type === 'totp' ? startApp(ctx, holder, label) : makeCodes(ctx, holder)
}

async function startApp(ctx: Context, { userId, username, sessionId }: UserActor, label: string | null) {
  const { displayName } = await readSettings(ctx)
  const { id, secret, uri } = await startTotp(ctx, {
    ...{ userId, label, username, issuerName: displayName ?? ctx.realmId },
    // Named by what began it, so that no sign-in shows this secret to somebody who did not ask for it.
    signInId: sessionId ?? 'account',
  })
  return { ...(await readCredential(ctx, userId, id)), secret, otpauthUri: uri, pending: true }
}

async function makeCodes(ctx: Context, { userId }: UserActor): Promise<NewCredential> {
  const codes = makeRecoveryCodes()
  const id = await storeRecoveryCodes(ctx, userId, codes)
  await recordAdded(ctx, userId, 'recovery-codes', id)
  await tellOfChange(ctx, userId, 'FACTOR_ADDED', { about: 'recovery-codes' })
  return { ...(await readCredential(ctx, userId, id)), codes }
}

/** With a code that the app shows now. */
export async function confirmCredential(
  ctx: Context,
  holder: UserActor,
  id: string,
  code: string,
): Promise<Credential> {
  const { userId } = holder
  const { record } = await loadCredential(ctx, { userId, type: 'totp', id }, true)
  if (record.details.pending !== true) throw new DomainError('conflict', 'The app is confirmed already.')
  if (!(await confirmTotp(ctx, userId, id, code))) {
    throw fieldError('code', 'This is not the code that the app shows now.')
  }
  await recordAdded(ctx, userId, 'totp', id)
  await tellOfChange(ctx, userId, 'FACTOR_ADDED', { about: record.label ?? 'totp' })
  return readCredential(ctx, userId, id)
}

export async function renameOwnCredential(
  ctx: Context,
  holder: UserActor,
  which: { type: string; id: string },
  label: string | null,
): Promise<Credential> {
  const { userId } = holder
  const { record } = await loadCredential(ctx, { userId, ...which }, true)
  const renamed = await renameCredential(await actAsOwner(ctx, holder), userId, record, label)
  await recordEvent(ctx, {
    type: 'ADMIN_UPDATE',
    outcome: 'SUCCESS',
    resourceType: 'users',
    resourceId: userId,
    detail: JSON.stringify({ credentialRenamed: record.type, id: record.id }),
    detailSubject: userId,
  })
  return renamed
}

/** A second factor may always go: where the realm wants one, the next sign-in asks for a new one. A way in must stay. */
export async function removeOwnCredential(
  ctx: Context,
  holder: UserActor,
  which: { type: string; id: string },
): Promise<void> {
  const { userId } = holder
  await spend(ctx, holder, 'changes')
  if (which.type === 'device') return removeOwnDevice(ctx, holder, which.id)
  const { record } = await loadCredential(ctx, { userId, ...which }, true)
  await keepAWayIn(ctx, userId, record)
  await removeCredential(await actAsOwner(ctx, holder), userId, record)
  // One that never counted is missed by nobody.
  if (record.details.pending === true) return
  await tellOfChange(ctx, userId, 'FACTOR_REMOVED', { about: record.label ?? record.type })
}

/** What a sign-in can begin with; everything else comes second, a key that does not ask who holds it included. */
const isWayIn = ({ type, details }: Credential): boolean =>
  type === 'password' || (type === 'webauthn' && details.userVerified === true)

async function keepAWayIn(ctx: Context, userId: string, removed: Credential): Promise<void> {
  if (!isWayIn(removed)) return
  const { credentials } = await listCredentials(ctx, userId, { size: '1000' })
  if (credentials.some((credential) => credential.id !== removed.id && isWayIn(credential))) return
  const words = removed.type === 'password' ? 'Set up a passkey first' : 'Set up another passkey or a password first'
  throw new DomainError('conflict', `Without it you could not sign in any more. ${words}.`)
}
