// The hash chain over the audit trail: a job gives every committed event a place and a hash, and the audit key seals them.
// Contract 6.6, 0.4, 2.88; docs/decisions/0009-audit-chain.md.
// Called by the jobs, the retention and the list of the audit trail; /events/verify and /events/export are its routes.
export { auditSigningKeyPlace } from './audit-key.ts'
export { findPlaces } from './places.ts'
export { chainLateEvents, chainNewEvents } from './run.ts'
export { announceRemoval, trimChain } from './trim.ts'
