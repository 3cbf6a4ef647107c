// The audit trail: events are written in the transaction of what they tell of, searched, emitted and kept in monthly partitions.
// Specification part 2 "Audit event" and part 6, contract 0.4, 2.88-2.93, 6.1-6.6, 6.10; S48.
// recordEvent is called by everything that changes or decides; /events and /admin/audit/config are its routes.
export { auditConfigRoutes, readForwarderConfig } from './audit-config/index.ts'
export { type AuditSinkOptions, createAuditSink, type StoppableAuditSink } from './audit-sink.ts'
export { destroyAuditKey, hasAuditKey } from './audit-keys.ts'
export { createEventBatch, type StoppableEventBatch } from './batch.ts'
export { eventsContribution } from './contribution.ts'
export type { NewEvent } from './event-line.ts'
export { categoryOf, type EventCategory, type EventType } from './event-types.ts'
export type { ForwarderConfig } from './forwarder.ts'
export { listOwnEvents, OwnEventQuery } from './own-events.ts'
export { ensureEventPartitions, eventPartition, registerEventMetrics } from './partitions.ts'
export { openForPerson, sealForPerson } from './person-seal.ts'
export { recordEvent } from './record.ts'
export { eventRoutes } from './routes.ts'
export { auditEvent, eventPage } from './schema.ts'
