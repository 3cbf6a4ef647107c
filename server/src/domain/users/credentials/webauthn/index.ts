// Passkeys and security keys: registering one, signing in with one, and the challenges in between.
// W3C Web Authentication Level 3, contract 2.46, 2.47 and 2.104b; S39, S44, S52.
// Called by domain/sign-in; the browser's part is a script of the pages, the mathematics is @simplewebauthn/server's.
export {
  applyAssertion,
  type AssertionRequest,
  createAuthenticationOptions,
  verifyAssertion,
  type VerifiedAssertion,
} from './authentication.ts'
export { consumeChallenge, openChallenge, sealChallenge } from './challenge.ts'
export { type WebauthnRealm, webauthnRealm } from './realm.ts'
export {
  createRegistrationOptions,
  storeRegistration,
  type VerifiedRegistration,
  verifyRegistration,
} from './registration.ts'
