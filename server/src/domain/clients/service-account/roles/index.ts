// What the service account of a client holds: realm roles and roles of clients.
// Contract 2.45, 2.59, 4.8 and 5.2, specification part 4 (clients); S8, S12.
// Called under /clients/{clientId}/service-account/roles; what the roles permit is read in domain/permissions.
export { serviceAccountRoleRoutes } from './routes.ts'
