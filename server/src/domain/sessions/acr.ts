import type { Proof } from './service.ts'

/** 1: one factor, 2: two factors, 3: two factors of which one cannot be phished (contract 2.104b). */
export type Level = 1 | 2 | 3

interface MethodFacts {
  /** RFC 8176. */
  amr: string[]
  /** What the method proves: something known, something held. A passkey proves both at once. */
  proves: readonly ('KNOWLEDGE' | 'POSSESSION')[]
  phishingResistant?: true
  /** A sign-in begins with it: the person themselves says who they are, at the screen that is let in. */
  opens?: true
  /** The yes of another screen, which says nothing of when the person proved themselves there. */
  vouched?: true
}

const methods: Record<string, MethodFacts> = {
  password: { amr: ['pwd'], proves: ['KNOWLEDGE'], opens: true },
  passkey: { amr: ['pop', 'user'], proves: ['KNOWLEDGE', 'POSSESSION'], phishingResistant: true, opens: true },
  webauthn: { amr: ['pop'], proves: ['POSSESSION'], phishingResistant: true },
  totp: { amr: ['otp'], proves: ['POSSESSION'] },
  'otp-email': { amr: ['otp'], proves: ['POSSESSION'] },
  'otp-sms': { amr: ['otp', 'sms'], proves: ['POSSESSION'] },
  'recovery-code': { amr: ['otp'], proves: ['POSSESSION'] },
  push: { amr: ['mca'], proves: ['POSSESSION'] },
  'device-key': { amr: ['hwk'], proves: ['POSSESSION'] },
  qr: { amr: ['mca'], proves: ['POSSESSION'], vouched: true },
  // Whoever acts for somebody proved nothing of that person: the lowest class, and no method at all.
  impersonation: { amr: [], proves: [] },
  'magic-link': { amr: ['otp'], proves: ['POSSESSION'], opens: true },
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

/** Whether a sign-in can begin with this method. */
export function opensSignIn(method: string): boolean {
  return methods[method]?.opens === true
}

/**
 * When the person proved themselves from the start, as a sign-in of theirs asks it (S39). A second factor that was added since
 * does not renew that, and what another screen vouched for never was it: then null.
 */
export function fullyProvedAt(proofs: Proof[]): number | null {
  const opening = proofs.filter(({ method }) => opensSignIn(method))
  if (opening.length > 0) return Math.max(...opening.map(({ at }) => at))
  if (proofs.length === 0 || proofs.some((proof) => factsOf(proof).vouched)) return null
  // A realm's own flow may begin with anything; what it began with is the oldest.
  return Math.min(...proofs.map(({ at }) => at))
}

export function lastProvedAt(proofs: Proof[]): number {
  return Math.max(0, ...proofs.map(({ at }) => at))
}

/** When another screen let this one in; 0 where none did. */
export function vouchedAt(proofs: Proof[]): number {
  return lastProvedAt(proofs.filter((proof) => factsOf(proof).vouched))
}

/** What applications are told as `auth_time`; in an impersonated session, when it began. What was lent is as old as it was there. */
export function authenticatedAt(proofs: Proof[]): number {
  const lent = proofs.find((proof) => factsOf(proof).vouched)?.since
  return fullyProvedAt(proofs) ?? lent ?? lastProvedAt(proofs)
}
