import type { Proof } from './service.ts'

/** 1: one factor, 2: two factors, 3: two factors of which one cannot be phished (contract 2.104b). */
export type Level = 1 | 2 | 3

interface MethodFacts {
  /** RFC 8176. */
  amr: string[]
  /** What the method proves: something known, something held. A passkey proves both at once. */
  proves: readonly ('KNOWLEDGE' | 'POSSESSION')[]
  phishingResistant?: true
}

const methods: Record<string, MethodFacts> = {
  password: { amr: ['pwd'], proves: ['KNOWLEDGE'] },
  passkey: { amr: ['pop', 'user'], proves: ['KNOWLEDGE', 'POSSESSION'], phishingResistant: true },
  webauthn: { amr: ['pop'], proves: ['POSSESSION'], phishingResistant: true },
  totp: { amr: ['otp'], proves: ['POSSESSION'] },
  'otp-email': { amr: ['otp'], proves: ['POSSESSION'] },
  'otp-sms': { amr: ['otp', 'sms'], proves: ['POSSESSION'] },
  'recovery-code': { amr: ['otp'], proves: ['POSSESSION'] },
  push: { amr: ['mca'], proves: ['POSSESSION'] },
  'device-key': { amr: ['hwk'], proves: ['POSSESSION'] },
  qr: { amr: ['mca'], proves: ['POSSESSION'] },
  // Whoever acts for somebody proved nothing of that person: the lowest class, and no method at all.
  impersonation: { amr: [], proves: [] },
  'magic-link': { amr: ['otp'], proves: ['POSSESSION'] },
}
const unknownMethod: MethodFacts = { amr: [], proves: ['KNOWLEDGE'] }

const factsOf = (proof: Proof) => methods[proof.method] ?? unknownMethod

/** How strong these proofs are together. */
export function levelOf(proofs: Proof[]): Level {
  const facts = proofs.map(factsOf)
  const kinds = new Set(facts.flatMap(({ proves }) => proves))
  if (kinds.size < 2) return 1
  return facts.some(({ phishingResistant }) => phishingResistant) ? 3 : 2
}

const prefix = 'urn:gatehouse:acr:'

export function acrOf(proofs: Proof[]): string {
  return prefix + levelOf(proofs)
}

/** The level that a requested class stands for, by its own name or by one the realm gave it; null for a name nobody knows. */
export function levelOfAcr(acr: string, aliases: Readonly<Record<string, string>>): Level | null {
  const name = Object.hasOwn(aliases, acr) ? aliases[acr]! : acr
  const level = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : 0
  return level === 1 || level === 2 || level === 3 ? level : null
}

export function amr(proofs: Proof[]): string[] {
  const values = new Set(proofs.flatMap((proof) => factsOf(proof).amr))
  if (levelOf(proofs) > 1) values.add('mfa')
  return [...values]
}
