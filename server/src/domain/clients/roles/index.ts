// Roles of one client: names that its own tokens carry; they give no admin permission.
// Contract 2.58, 4.8, specification part 4 (clients).
// Called under /clients/{clientId}/roles, and by the service account's role mappings.
export { clientRoleRoutes } from './routes.ts'
export { ClientRole } from './schema.ts'
export { createClientRole, findClientRole } from './service.ts'
