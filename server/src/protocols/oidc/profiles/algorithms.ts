/**
 * FAPI 2.0 section 5.4.1: nothing weaker. RFC 9864 calls EdDSA by the name of its curve, and libraries begin to say so; both
 * names mean the same signature.
 */
export const fapiAlgorithms = ['PS256', 'ES256', 'EdDSA', 'Ed25519']

/** What clients sign assertions and requests with (contract 2.18): never a shared secret, never nothing. */
export const clientAlgorithms = ['RS256', ...fapiAlgorithms]

/** Proofs of possession are younger than the doubts about RS256, so no library is left behind without it. */
export const proofAlgorithms = ['ES256', 'PS256', 'EdDSA', 'Ed25519']

/** The realm's keys are RSA keys. */
export const tokenAlgorithms = ['RS256', 'PS256']
