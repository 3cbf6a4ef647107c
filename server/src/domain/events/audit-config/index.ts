// Where audit events are emitted beside the database: the configuration of the HTTP forwarder.
// Specification part 2 "Audit emission config", contract 2.93, 0.11.
// Served at {base_url}/admin/audit/config; read by the forwarder every few seconds.
export { auditConfigRoutes } from './routes.ts'
export { readForwarderConfig } from './service.ts'
