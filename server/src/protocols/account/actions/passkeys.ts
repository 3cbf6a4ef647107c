import type { Context, Services, UserActor } from '../../../domain/context/index.ts'
import { issueToken, peekToken, useToken } from '../../../domain/one-time-secrets/index.ts'
import { settingsSection } from '../../../domain/settings/index.ts'
import type { RealmSnapshot } from '../../../domain/snapshot/index.ts'
import { type Credential, readCredential, recordAdded } from '../../../domain/users/credentials/index.ts'
import {
  createRegistrationOptions,
  storeRegistration,
  type VerifiedRegistration,
  verifyRegistration,
  type WebauthnRealm,
  webauthnRealm,
} from '../../../domain/users/credentials/webauthn/index.ts'
import { tellOfChange } from '../../../domain/users/notices/index.ts'
import { DomainError, fieldError } from '../../../platform/errors/index.ts'
import { spend } from './limits.ts'

// As long as the longest time that a realm gives people to touch their authenticator.
const challengeMs = 10 * 60_000
const purpose = 'ACCOUNT_PASSKEY'

async function describeRealm(services: Services, realm: RealmSnapshot): Promise<WebauthnRealm> {
  return webauthnRealm(services, realm, await realm.section(settingsSection))
}

/**
 * PublicKeyCredentialCreationOptionsJSON. The challenge is a token of ours, 256 bits as the library's own: it works once, for
 * this person and in the session that asked for it.
 */
export async function startPasskey(ctx: Context, holder: UserActor, realm: RealmSnapshot): Promise<object> {
  await spend(ctx, holder, 'changes')
  const { userId, username, sessionId } = holder
  const user = { realmId: ctx.realmId, userId, username }
  const options = await createRegistrationOptions(ctx, await describeRealm(ctx.services, realm), user)
  const challenge = await issueToken(ctx, { purpose, subject: userId, boundTo: sessionId, ttlMs: challengeMs })
  return { ...options, challenge }
}

export interface PreparedPasskey {
  challenge: string
  verified: VerifiedRegistration
}

/** What the authenticator made, without a transaction. */
export async function preparePasskey(
  { services, realm, holder }: { services: Services; realm: RealmSnapshot; holder: UserActor },
  response: unknown,
): Promise<PreparedPasskey> {
  const challenge = challengeOf(response)
  const secret = challenge === null ? null : await peekToken(services, realm.realmId, purpose, challenge)
  const isOwn = secret?.subject === holder.userId && secret.boundTo === holder.sessionId
  const verified = isOwn
    ? await verifyRegistration(services, await describeRealm(services, realm), { challenge: challenge!, response })
    : null
  if (!verified) throw refused()
  return { challenge: challenge!, verified }
}

export async function addPasskey(
  ctx: Context,
  holder: UserActor,
  { challenge, verified }: PreparedPasskey,
  label: string | null,
): Promise<Credential> {
  const { userId } = holder
  const secret = await useToken(ctx, purpose, challenge)
  if (secret?.subject !== userId || secret.boundTo !== holder.sessionId) throw refused()
  const id = await storeRegistration(ctx, userId, verified, label)
  if (id === null) throw new DomainError('conflict', 'This passkey is registered already.')
  await recordAdded(ctx, userId, 'webauthn', id)
  await tellOfChange(ctx, userId, 'FACTOR_ADDED', { about: label ?? 'webauthn' })
  return readCredential(ctx, userId, id)
}

const refused = () =>
  fieldError('response', 'This is not what was asked for, or it took too long: ask for new options and try again.')

// Beyond this it is no clientDataJSON.
const maxLength = 8192

/** The challenge that an answer claims to be to; whether it is, the verification tells. */
function challengeOf(response: unknown): string | null {
  const text = (response as { response?: { clientDataJSON?: unknown } } | null)?.response?.clientDataJSON
  if (typeof text !== 'string' || text.length > maxLength) return null
  try {
    const data = JSON.parse(Buffer.from(text, 'base64url').toString()) as { challenge?: unknown } | null
    return typeof data?.challenge === 'string' ? data.challenge : null
  } catch {
    return null
  }
}
