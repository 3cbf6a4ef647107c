import { timingSafeEqual } from 'node:crypto'
import { generateAuthenticationOptions, verifyAuthenticationResponse } from '@simplewebauthn/server'
import { runRead } from '../../../../platform/db/index.ts'
import type { Context, Services } from '../../../context/index.ts'
import { relyingPartyOf, userHandleOf, type WebauthnRealm } from './realm.ts'
import { type AssertionResponse, readAssertionResponse } from './response.ts'
import { executorOf, type KeyRow, raiseCounter, selectKey, selectKeysOf } from './store.ts'

/** FIRST stands for name and password together; SECOND comes after them. */
export type AssertionPurpose = 'FIRST' | 'SECOND'

export interface AssertionRequest {
  realmId: string
  challenge: string
  response: unknown
  purpose: AssertionPurpose
  /** The person who must have the key; null when the key shall tell who it is. */
  userId: string | null
}

export interface VerifiedAssertion {
  /** The row in `credentials`. */
  credentialId: string
  userId: string
  userVerified: boolean
  counter: number
  previousCounter: number
  backedUp: boolean
}

/** PublicKeyCredentialRequestOptionsJSON with a fresh challenge in it. Without a user, whoever has a passkey may answer. */
export async function createAuthenticationOptions(
  from: Context | Services,
  realm: WebauthnRealm,
  user: { realmId: string; userId: string } | null,
  purpose: AssertionPurpose,
): Promise<object> {
  const keys = user ? await runRead(() => selectKeysOf(executorOf(from), user.realmId, user.userId)) : null
  return generateAuthenticationOptions({
    rpID: relyingPartyOf(realm).id,
    timeout: realm.policy.timeoutSeconds * 1000,
    userVerification: demandsVerification(realm, purpose) ? 'required' : realm.policy.userVerification,
    ...(keys ? { allowCredentials: keys.map(({ credential_id: id, transports }) => ({ id, transports })) } : {}),
  })
}

/** Alone, a key counts for two factors only when it made sure who holds it. */
function demandsVerification({ policy }: WebauthnRealm, purpose: AssertionPurpose): boolean {
  return purpose === 'FIRST' || policy.userVerification === 'required'
}

/** Needs no transaction; `applyAssertion` makes it count. Null for everything that is not exactly what was asked for. */
export async function verifyAssertion(
  services: Services,
  realm: WebauthnRealm,
  request: AssertionRequest,
): Promise<VerifiedAssertion | null> {
  const sent = readAssertionResponse(request.response)
  if (!sent) return null
  const key = await runRead(() => selectKey(services.db, request.realmId, sent.id))
  if (!key || !isTheirs(request, sent, key)) return null
  try {
    return await verifySent(realm, request, sent, key)
  } catch (error) {
    // What the library refuses and what it cannot read look alike from outside.
    services.log.debug({ err: error }, 'a passkey was refused')
    return null
  }
}

/** The key belongs to whom it must, and says so itself where it is all there is. */
function isTheirs({ realmId, purpose, userId }: AssertionRequest, sent: AssertionResponse, key: KeyRow): boolean {
  if (purpose === 'SECOND' && userId === null) return false
  if (userId !== null && key.user_id !== userId) return false
  const { userHandle } = sent.response
  if (userHandle === null) return purpose === 'SECOND'
  const [given, expected] = [Buffer.from(userHandle, 'base64url'), userHandleOf(realmId, key.user_id)]
  return given.length === expected.length && timingSafeEqual(given, expected)
}

async function verifySent(
  realm: WebauthnRealm,
  { challenge, purpose }: AssertionRequest,
  sent: AssertionResponse,
  key: KeyRow,
): Promise<VerifiedAssertion | null> {
  const rp = relyingPartyOf(realm)
  const { clientDataJSON, authenticatorData, signature } = sent.response
  const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
    response: { ...sent, response: { clientDataJSON, authenticatorData, signature }, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: rp.origin,
    expectedRPID: rp.id,
    requireUserVerification: demandsVerification(realm, purpose),
    credential: { id: sent.id, publicKey: Uint8Array.from(key.public_key), counter: key.counter },
  })
  if (!verified) return null
  return {
    credentialId: key.id,
    userId: key.user_id,
    userVerified: info.userVerified,
    counter: info.newCounter,
    previousCounter: key.counter,
    backedUp: info.credentialBackedUp,
  }
}

/**
 * Inside the transaction of the sign-in. False when the key was removed meanwhile, or its counter did not move on since: then
 * somebody has a copy of it. Keys that do not count say zero always.
 */
export async function applyAssertion(ctx: Context, verified: VerifiedAssertion): Promise<boolean> {
  return raiseCounter(ctx.tx, ctx.realmId, { ...verified, now: ctx.now })
}
