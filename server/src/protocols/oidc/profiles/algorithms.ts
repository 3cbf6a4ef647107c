import { fapiAlgorithms } from '../../../domain/clients/index.ts'

/** What clients sign assertions and requests with (contract 2.18): never a shared secret, never nothing. */
export const clientAlgorithms = ['RS256', ...fapiAlgorithms]

/** Proofs of possession are younger than the doubts about RS256, so no library is left behind without it. */
export const proofAlgorithms = ['ES256', 'PS256', 'EdDSA', 'Ed25519']

/** The realm's keys are RSA keys. */
export const tokenAlgorithms = ['RS256', 'PS256']
