// Client scopes: what a client may ask for, what the person reads on the consent page, and which claims follow.
// Contract 1.6, 2.15 and 2.97, OpenID Connect Core 5.4; the standard scopes are seeded.
// Called under /client-scopes, by domain/clients, which names them, and by the protocols through `scopesSection`.
export { clientScopesContribution } from './contribution.ts'
export { clientScopeRoutes } from './routes.ts'
export { ClientScope } from './schema.ts'
export { type RealmScope, type RealmScopes, scopesSection } from './section.ts'
export { findUnknownScopes } from './service.ts'
