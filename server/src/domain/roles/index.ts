// Realm roles: named sets of rights that users hold directly or through composite roles; one of them is every new user's.
// Contract 2.57 and 5.2, specification part 4 (roles); S8.
// Called under /roles, by the folders that assign roles and by whoever looks a role up by its name.
export { rolesContribution } from './contribution.ts'
export { exampleRole, roleRoutes } from './routes.ts'
export { Role, RoleName } from './schema.ts'
export { adminRoleName, createRole, findRoleByName, listRoles, loadRole, lockRealmRoles } from './service.ts'
