// Consents: what a person allowed an application, one record for the pair, growing with every further scope.
// Contract 2.52 and 4.32, OpenID Connect Core 3.1.2.4; specification part 4 (gdpr).
// Written by protocols/oidc after the consent page; shown and revoked under /account/gdpr and /users/{userId}/gdpr.
export { consentsContribution } from './contribution.ts'
export { Consent, ConsentQuery } from './schema.ts'
export {
  type ConsentGrant,
  forgetClientConsents,
  type GrantedConsent,
  listConsents,
  readConsent,
  recordConsent,
  revokeConsent,
  revokeConsentFor,
} from './service.ts'
