// The realm session: SSO session of OIDC and SAML and the admin session at once.
// Architecture 4, specification part 5, contract 2.100, 4.4, 4.5; S37, S38.
// Made by domain/sign-in, checked by every surface, listed and ended under /sessions.
export {
  authenticateSession,
  type AuthenticatedSession,
  freshSeconds,
  isFreshlySignedIn,
  sessionActor,
  touchEveryMs,
} from './authenticate.ts'
export { type Acting, findImpersonator, type Impersonator, mayStillActFor } from './acting.ts'
export { settleImpersonation } from './settle-impersonation.ts'
export { type Browser, isForeignOrigin, isOwnForm, readBrowser, setCookies, staleForm } from './browser.ts'
export {
  anonymousCsrf,
  clearImpersonationCookie,
  clearSessionCookie,
  csrfToken,
  deviceCookie,
  deviceCookieName,
  impersonationCookie,
  impersonationCookieName,
  ownSessionTokenOf,
  sessionCookie,
  sessionCookieName,
  sessionTokenOf,
  xsrfCookie,
} from './cookies.ts'
export {
  createSession,
  endSessions,
  prepareSession,
  type NewSession,
  type Proof,
} from './service.ts'
export {
  acrOf,
  amr,
  authenticatedAt,
  fullyProvedAt,
  lastProvedAt,
  type Level,
  levelOf,
  levelOfAcr,
  opensSignIn,
  vouchedAt,
} from './acr.ts'
export {
  deleteParticipant,
  type ParticipantInsert,
  participantPart,
  readParticipants,
  readSessionById,
} from './participants-store.ts'
export { sessionsContribution } from './contribution.ts'
export { listSessionsOf, readSessionOf } from './own.ts'
export { sessionRoutes } from './routes.ts'
export { Session, Whoami } from './schema.ts'
export { touchSession } from './store.ts'
