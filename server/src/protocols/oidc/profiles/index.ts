// What demanding integrators ask of an issuer: proofs of possession, signed assertions and requests, and the profile FAPI 2.0.
// RFC 7523, 9101, 9449, JARM, FAPI 2.0 Security Profile; contract 2.16, 2.18, 2.21, 5.6; S30, S36.
// Called by provider.ts when an issuer is made, by resources.ts and lifetimes.ts, and by bearer.ts for our own resources.
export { proofAlgorithms } from './algorithms.ts'
export { createClientKeys } from './client-keys.ts'
export { profileConfiguration, profileFeatures } from './configuration.ts'
export { assertBound, codeSeconds } from './fapi.ts'
export { requestedScope } from './request-objects.ts'
export { proofSeconds } from './times.ts'
