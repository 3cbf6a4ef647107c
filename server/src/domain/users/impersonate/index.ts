// An administrator acts as a person for a while: a session of its own, seen by the person, in the pages and in every event.
// Contract 2.49, 5.2, 6.4, specification part 4 (Users) and part 6; RFC 8693 section 4.1; S9, S12, S37.
// Called under /users/{userId}/impersonate; the session is read by domain/sessions, its tokens are made by protocols/oidc.
export { impersonateContribution } from './contribution.ts'
export { impersonateRoutes } from './routes.ts'
