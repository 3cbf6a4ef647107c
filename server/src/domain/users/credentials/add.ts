import type { Context } from '../../context/index.ts'
import { issueEnrollment } from '../../devices/index.ts'
import { readSettings } from '../../settings/index.ts'
import { resetPassword } from '../password/index.ts'
import type { PreparedPassword } from '../password/service.ts'
import type { User } from '../schema.ts'
import { recordAdded } from './record-added.ts'
import { makeRecoveryCodes, storeRecoveryCodes } from './recovery-codes/index.ts'
import type { CredentialInput, NewCredential, NewDevice } from './schema.ts'
import { assertMayGiveFactor, readCredential } from './service.ts'
import { startTotp } from './totp/index.ts'

/** What is shown this once, and what the audit trail may say of it. */
export interface Added {
  credential: NewCredential | NewDevice
  changes: Record<string, unknown>
}

export async function addCredential(
  ctx: Context,
  user: User,
  input: CredentialInput,
  prepared: PreparedPassword | null,
): Promise<Added> {
  if (prepared) return addPassword(ctx, user, input, prepared)
  await assertMayGiveFactor(ctx, user)
  if (input.type === 'totp') return addTotp(ctx, user, input)
  return input.type === 'device' ? addDevice(ctx, user) : addRecoveryCodes(ctx, user)
}

async function addPassword(
  ctx: Context,
  { userId }: User,
  { temporary, label }: CredentialInput,
  prepared: PreparedPassword,
): Promise<Added> {
  const reset = { temporary, revokeSessions: true, label }
  const { credentialId, changes } = await resetPassword(ctx, userId, prepared, reset)
  return { credential: await readCredential(ctx, userId, credentialId), changes }
}

async function addTotp(ctx: Context, { userId, username }: User, { label }: CredentialInput): Promise<Added> {
  const { displayName } = await readSettings(ctx)
  const { id, secret, uri } = await startTotp(ctx, {
    userId,
    label,
    issuerName: displayName ?? ctx.realmId,
    username,
  })
  const credential = await readCredential(ctx, userId, id)
  return {
    credential: { ...credential, secret, otpauthUri: uri, pending: true },
    changes: { credentialAdded: 'totp', pending: true },
  }
}

/** Whoever holds the token enrols a device of this person, which is why it is asked for like any other factor. */
async function addDevice(ctx: Context, { userId }: User): Promise<Added> {
  const issued = await issueEnrollment(ctx, userId)
  return {
    credential: { type: 'device', pending: true, ...issued },
    changes: { credentialAdded: 'device', pending: true },
  }
}

async function addRecoveryCodes(ctx: Context, { userId }: User): Promise<Added> {
  const codes = makeRecoveryCodes()
  const id = await storeRecoveryCodes(ctx, userId, codes)
  await recordAdded(ctx, userId, 'recovery-codes', id)
  const credential = await readCredential(ctx, userId, id)
  return { credential: { ...credential, codes }, changes: { credentialAdded: 'recovery-codes' } }
}
