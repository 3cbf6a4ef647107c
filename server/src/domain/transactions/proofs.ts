import { runRead } from '../../platform/db/index.ts'
import { fieldError } from '../../platform/errors/index.ts'
import type { Services } from '../context/index.ts'
import { verifyStatement } from '../devices/index.ts'
import type { Proof } from '../sessions/index.ts'
import { settingsSection } from '../settings/index.ts'
import type { ShownProof } from '../sign-in/index.ts'
import type { RealmSnapshot } from '../snapshot/index.ts'
import { useTotp } from '../users/credentials/totp/index.ts'
import {
  applyAssertion,
  createAuthenticationOptions,
  verifyAssertion,
  type WebauthnRealm,
  webauthnRealm,
} from '../users/credentials/webauthn/index.ts'
import { challengeOf } from './hash.ts'
import type { SignInput, SignMethod } from './schema.ts'
import { selectCredentialTypes, type TransactionRow } from './store.ts'

/** What a method needs of the person, and what it proves; a passkey has to make sure who holds it. */
const methods = {
  WEBAUTHN: { credential: 'webauthn', proof: 'passkey', member: 'assertion' },
  DEVICE: { credential: 'device', proof: 'device-key', member: 'signature' },
  TOTP: { credential: 'totp', proof: 'totp', member: 'code' },
  PASSWORD: { credential: 'password', proof: 'password', member: 'password' },
} as const satisfies Record<SignMethod, { credential: string; proof: string; member: keyof SignInput }>

/** The strongest first: the methods that this person has and the realm lets them use. */
export async function listMethods(services: Services, realm: RealmSnapshot, userId: string): Promise<SignMethod[]> {
  const [{ mfaPolicy }, held] = await Promise.all([
    realm.section(settingsSection),
    runRead(() => selectCredentialTypes(services.db, realm.realmId, userId)),
  ])
  const allowed: readonly string[] = ['password', ...mfaPolicy.allowed]
  return (Object.keys(methods) as SignMethod[]).filter((method) => {
    const { credential } = methods[method]
    return held.includes(credential) && allowed.includes(credential)
  })
}

export function proofOf(method: SignMethod, now: number): Proof {
  return { method: methods[method].proof, at: now }
}

export const memberOf = (method: SignMethod) => methods[method].member

/** The proof that was sent for this transaction, ready to be counted and looked at. */
export async function readProof(
  services: Services,
  realm: RealmSnapshot,
  row: TransactionRow,
  sent: SignInput & { method: SignMethod },
): Promise<ShownProof> {
  const { method } = sent
  const missing = () => fieldError(memberOf(method), `${method} needs ${memberOf(method)}.`, 'required')
  const userId = row.user_id
  if (method === 'PASSWORD') {
    if (sent.password === undefined) throw missing()
    return { method: 'password', password: sent.password }
  }
  if (method === 'TOTP') {
    const { code } = sent
    if (code === undefined) throw missing()
    const look = async () => async (ctx: Parameters<typeof useTotp>[0]) =>
      (await useTotp(ctx, { userId, code, allow: 'CONFIRMED' })) !== null
    return { method: 'totp', look }
  }
  if (method === 'DEVICE') return readStatement(row, sent, missing)
  if (sent.assertion === undefined) throw missing()
  return readAssertion(services, await asVerifying(services, realm), realm.realmId, row, sent.assertion)
}

/** A statement names the transaction, what was hashed and what was decided: it is good for nothing else. */
function readStatement(row: TransactionRow, sent: SignInput, missing: () => Error): ShownProof {
  const { deviceId, signature: jws } = sent
  if (deviceId === undefined) throw fieldError('deviceId', 'DEVICE needs deviceId.', 'required')
  if (jws === undefined) throw missing()
  const claims = { tx: row.id, hash: row.hash, decision: sent.decision }
  return {
    method: 'device-key',
    look: async () => (ctx) => verifyStatement(ctx, { userId: row.user_id, deviceId, jws, claims }),
  }
}

function readAssertion(
  services: Services,
  asking: WebauthnRealm,
  realmId: string,
  row: TransactionRow,
  response: unknown,
): ShownProof {
  return {
    method: 'passkey',
    async look() {
      const challenge = challengeOf(row)
      const request = { realmId, challenge, response, purpose: 'SECOND' as const, userId: row.user_id }
      const verified = await verifyAssertion(services, asking, request)
      return async (ctx) => verified?.userVerified === true && applyAssertion(ctx, verified)
    },
  }
}

/** What the browser asks the person’s passkeys for. */
export async function createSignOptions(
  services: Services,
  realm: RealmSnapshot,
  row: Pick<TransactionRow, 'id' | 'hash' | 'user_id'>,
): Promise<object> {
  const user = { realmId: realm.realmId, userId: row.user_id }
  const options = await createAuthenticationOptions(services, await asVerifying(services, realm), user, 'SECOND')
  return { ...options, challenge: challengeOf(row) }
}

/** Whatever the realm asks at a sign-in: what is signed with a key alone was signed by its holder. */
async function asVerifying(services: Services, realm: RealmSnapshot): Promise<WebauthnRealm> {
  const asked = webauthnRealm(services, realm, await realm.section(settingsSection))
  return { ...asked, policy: { ...asked.policy, userVerification: 'required' } }
}
