// What the law lets people ask about themselves, as administrators see it for a user.
// Contract 2.52-2.53, specification part 4 (users, gdpr).
// Called under /users/{userId}/gdpr; the same for oneself is under /realms/{realm}/account/gdpr.
export { gdprRoutes } from './routes.ts'
