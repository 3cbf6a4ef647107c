import { type Level, levelOf, levelOfAcr, type Proof } from '../sessions/index.ts'
import { settingsSection } from '../settings/index.ts'
import type { RealmSnapshot } from '../snapshot/index.ts'

/** What a token’s `amr` says was proved at the sign-in (RFC 8176); values that say nothing about a factor are passed over. */
export function proofsOfAmr(amr: string[]): Proof[] {
  const methods = [
    ...(amr.includes('pwd') ? ['password'] : []),
    ...(amr.includes('otp') ? ['totp'] : []),
    ...(amr.includes('hwk') ? ['device-key'] : []),
    ...(amr.includes('mca') ? ['push'] : []),
    ...(amr.includes('pop') ? [amr.includes('user') ? 'passkey' : 'webauthn'] : []),
  ]
  return methods.map((method) => ({ method, at: 0 }))
}

/** The level that a transaction asks for; 1 where it asks for nothing. A class that is gone meanwhile is reached by nobody. */
export async function askedLevel(realm: RealmSnapshot, requiredAcr: string | null): Promise<Level | 4> {
  if (requiredAcr === null) return 1
  const { acrAliases } = await realm.section(settingsSection)
  return levelOfAcr(requiredAcr, acrAliases) ?? 4
}

/** The sign-in and the signature count together: each is a proof of the same person. */
export function isStrongEnough(asked: Level | 4, before: Proof[], proof: Proof): boolean {
  return levelOf([...before, proof]) >= asked
}
