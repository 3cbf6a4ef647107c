// Realm signing keys: one ACTIVE key signs OIDC tokens and SAML assertions, RETIRED ones verify what they signed.
// Specification part 2 (Realm key) and part 3, contract 2.62, 2.63, 3.6.
// Called under /keys, when a realm is made, and by the protocols through the realm snapshot.
export { keysContribution } from './contribution.ts'
export { keyRoutes } from './routes.ts'
export { RealmKey } from './schema.ts'
export { keysSection, openSigningKey, type OpenSigningKey, type PublicSigningKey } from './section.ts'
