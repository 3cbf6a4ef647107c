// Initial access tokens: what an administrator hands out so that somebody may register a client.
// RFC 7591 section 3; contract 4.16, 5.4 and 5.9; S31.
// Called under /provisioning/initial-access-tokens; domain/registration uses them up.
export { initialAccessTokenRoutes } from './routes.ts'
export { findInitialAccessToken, type UsableToken, useInitialAccessToken } from './service.ts'
export { clearTokenCreator, deleteExpiredTokens } from './store.ts'
