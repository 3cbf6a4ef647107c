// Admin role entries: which permissions of the fixed catalogue each realm role carries.
// Specification part 2 (Admin role entry) and part 4, contract 2.106, 5.1, 5.2; S8.
// Called under /admin-roles; the roles themselves live in domain/roles, the catalogue in domain/permissions.
export { adminRoleRoutes } from './routes.ts'
export { AdminRole } from './schema.ts'
