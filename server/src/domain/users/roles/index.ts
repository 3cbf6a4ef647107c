// Which realm roles a user holds: directly, or through the roles those are composed of.
// Contract 2.39, 2.43, 2.45 and 5.2, specification part 4 (users); S8, S12.
// Called under /users/{userId}/roles; what the roles permit is read in domain/permissions.
export { userRoleRoutes } from './routes.ts'
export { RoleMapping } from './schema.ts'
export { assignRole, unassignRole } from './service.ts'
