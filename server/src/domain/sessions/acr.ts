import type { Proof } from './service.ts'

// RFC 8176 names for our methods.
const amrOf: Record<string, string[]> = { password: ['pwd'] }

/** One factor so far; further classes follow with the second factors (contract 2.104b). */
export function acrOf(_proofs: Proof[]): string {
  return 'urn:gatehouse:acr:1'
}

export function amr(proofs: Proof[]): string[] {
  return [...new Set(proofs.flatMap((proof) => amrOf[proof.method] ?? [proof.method]))]
}
