import { generateRegistrationOptions, verifyRegistrationResponse } from '@simplewebauthn/server'
import { DomainError } from '../../../../platform/errors/index.ts'
import { runRead } from '../../../../platform/db/index.ts'
import { newId } from '../../../../platform/ids/index.ts'
import type { Context, Services } from '../../../context/index.ts'
import { lockUser, raiseUserVersion } from '../../store.ts'
import { countOfType, deleteCredentialRow, insertCredential } from '../store.ts'
import { isAllowedMake, selectAttestation } from './attestation.ts'
import { relyingPartyOf, userHandleOf, type WebauthnRealm } from './realm.ts'
import { type RegistrationResponse, readRegistrationResponse } from './response.ts'
import { executorOf, insertKey, maxKeys, selectKeysOf } from './store.ts'

// A browser passes them on to the authenticator; others would only be stored in vain.
const knownTransports = new Set(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])

export interface VerifiedRegistration {
  credentialId: string
  publicKey: Buffer
  counter: number
  transports: string[]
  aaguid: string
  backedUp: boolean
  userVerified: boolean
}

/** PublicKeyCredentialCreationOptionsJSON with a fresh challenge in it. */
export async function createRegistrationOptions(
  from: Context | Services,
  realm: WebauthnRealm,
  user: { realmId: string; userId: string; username: string },
): Promise<object> {
  const { policy } = realm
  const rp = relyingPartyOf(realm)
  const keys = await runRead(() => selectKeysOf(executorOf(from), user.realmId, user.userId))
  const { authenticatorAttachment: attachment } = policy
  const options = await generateRegistrationOptions({
    rpName: rp.name,
    rpID: rp.id,
    userName: user.username,
    userDisplayName: user.username,
    userID: userHandleOf(user.realmId, user.userId),
    timeout: policy.timeoutSeconds * 1000,
    excludeCredentials: keys.map(({ credential_id: id, transports }) => ({ id, transports })),
    authenticatorSelection: {
      residentKey: policy.residentKey,
      userVerification: policy.userVerification,
      ...(attachment === null ? {} : { authenticatorAttachment: attachment }),
    },
    supportedAlgorithmIDs: [...policy.algorithms],
  })
  return { ...options, attestation: policy.attestation }
}

/** Needs no transaction. Null for everything that is not exactly what this realm asked this browser for. */
export async function verifyRegistration(
  services: Services,
  realm: WebauthnRealm,
  { challenge, response }: { challenge: string; response: unknown },
): Promise<VerifiedRegistration | null> {
  const sent = readRegistrationResponse(response)
  if (!sent) return null
  try {
    return await verifySent(realm, challenge, sent)
  } catch (error) {
    // What the library refuses and what it cannot read look alike from outside.
    services.log.debug({ err: error }, 'a passkey was not registered')
    return null
  }
}

async function verifySent(realm: WebauthnRealm, challenge: string, sent: RegistrationResponse) {
  const { policy } = realm
  const attestationObject = selectAttestation(policy, sent.response.attestationObject)
  if (attestationObject === null) return null
  const rp = relyingPartyOf(realm)
  const { registrationInfo: info } = await verifyRegistrationResponse({
    response: {
      ...sent,
      response: { clientDataJSON: sent.response.clientDataJSON, attestationObject },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: rp.origin,
    expectedRPID: rp.id,
    requireUserVerification: policy.userVerification === 'required',
    supportedAlgorithmIDs: [...policy.algorithms],
  })
  // The id that the authenticator gave must be the one that the browser names.
  if (!info || info.credential.id !== sent.id || !isAllowedMake(policy, info.aaguid)) return null
  return {
    credentialId: info.credential.id,
    publicKey: Buffer.from(info.credential.publicKey),
    counter: info.credential.counter,
    transports: sent.response.transports.filter((transport) => knownTransports.has(transport)),
    aaguid: info.aaguid,
    backedUp: info.credentialBackedUp,
    userVerified: info.userVerified,
  }
}

/** Returns the credential's id; null when the realm has this key already, whosever it is. */
export async function storeRegistration(
  ctx: Context,
  userId: string,
  verified: VerifiedRegistration,
  label: string | null,
): Promise<string | null> {
  await lockUser(ctx.tx, ctx.realmId, userId)
  if ((await countOfType(ctx.tx, ctx.realmId, userId, 'webauthn')) >= maxKeys) {
    throw new DomainError('limit_reached', `A user has at most ${maxKeys} passkeys and security keys.`)
  }
  const id = newId(ctx.now)
  const { aaguid, transports, backedUp, userVerified } = verified
  await insertCredential(ctx.tx, {
    realm_id: ctx.realmId,
    id,
    user_id: userId,
    type: 'webauthn',
    label,
    secret_sealed: null,
    details: JSON.stringify({ aaguid, transports, backedUp, userVerified }),
    created_at: ctx.now,
  })
  const isNew = await insertKey(ctx.tx, {
    realm_id: ctx.realmId,
    credential_id: verified.credentialId,
    id,
    user_id: userId,
    public_key: verified.publicKey,
    counter: verified.counter,
    transports,
  })
  if (!isNew) {
    await deleteCredentialRow(ctx.tx, ctx.realmId, userId, id)
    return null
  }
  await raiseUserVersion(ctx.tx, ctx.realmId, userId)
  return id
}
