import { notFound } from '../../platform/errors/index.ts'
import type { Services } from '../context/index.ts'
import type { Proof } from '../sessions/index.ts'
import type { RealmSnapshot } from '../snapshot/index.ts'
import { createSignOptions, listMethods, proofOf } from './proofs.ts'
import { toTransaction } from './record.ts'
import type { SignMethod, Transaction } from './schema.ts'
import { findRow } from './service.ts'
import { askedLevel, isStrongEnough } from './strength.ts'

/** What a page needs to let the person answer. */
export interface SignChoices {
  /** Those that would do, the strongest first. */
  methods: SignMethod[]
  /** PublicKeyCredentialRequestOptionsJSON, where a passkey is among them. */
  passkeyOptions: object | null
  /** The level to sign in with first; null unless no method would do without. */
  neededLevel: 1 | 2 | 3 | null
}

/** The transaction of this person; whoever else asks finds nothing. */
export async function readOwnTransaction(
  services: Services,
  realmId: string,
  userId: string,
  id: string,
): Promise<Transaction> {
  const row = await findRow(services, realmId, id)
  if (row.user_id !== userId) throw notFound()
  return toTransaction(services, realmId, row, true)
}

export async function listChoices(
  services: Services,
  realm: RealmSnapshot,
  { id, hash, userId, requiredAcr }: Transaction,
  proofs: Proof[],
): Promise<SignChoices> {
  // A page has no key of a device: those answer through the API.
  const held = (await listMethods(services, realm, userId)).filter((method) => method !== 'DEVICE')
  const asked = await askedLevel(realm, requiredAcr)
  const methods = held.filter((method) => isStrongEnough(asked, proofs, proofOf(method, 0)))
  const row = { id, hash, user_id: userId }
  return {
    methods,
    passkeyOptions: methods.includes('WEBAUTHN') ? await createSignOptions(services, realm, row) : null,
    neededLevel: methods.length === 0 && asked !== 4 ? asked : null,
  }
}
