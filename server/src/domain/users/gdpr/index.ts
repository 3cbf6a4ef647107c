// What the law lets people ask about themselves: what is kept of them, what they allowed applications, and to be erased.
// Contract 0.4, 2.52-2.55, 2.108, specification part 2 (export document) and part 4 (users, gdpr); S9, S48.
// Called under /users/{userId}/gdpr; the same for oneself is under /realms/{realm}/account.
export { eraseUser } from './erase.ts'
export { exportUser } from './export.ts'
export { gdprRoutes } from './routes.ts'
export { ExportDocument } from './schema.ts'
