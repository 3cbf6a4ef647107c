// Sealed secrets with a key ring, record encryption, random tokens and constant-time comparison.
// Architecture 5 (secrets at rest), S51 and S52.
// Called by every folder that stores a secret; knows nothing of what the secrets are.
export { decryptRecord, encryptRecord } from './record-cipher.ts'
export { createSealer, type MasterKey, type Sealer } from './seal.ts'
export { constantTimeEqual, hashToken, hmac, newToken } from './tokens.ts'
