// Monitoring: health and metrics of the server for machines, endpoints, health and totals for administrators.
// Specification part 4 "Audit and monitoring", contract 2.105, 4.19-4.23, 5.5.
// app/ mounts /monitoring/*; /endpoints, /health and /admin/metrics/summary are admin routes.
export { describeEndpoints } from './endpoints.ts'
export { type MonitoringOptions, monitoringRoutes } from './http.ts'
export { monitoringAdminRoutes } from './routes.ts'
export { livenessHealth, overallHealth, readinessHealth, renderInfo, type ServerState } from './server-health.ts'
