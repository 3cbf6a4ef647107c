// Applications that register themselves: their metadata as a client of ours, their tokens, their end when nobody uses them.
// RFC 7591, RFC 7592, OpenID Connect Dynamic Client Registration 1.0; contract 2.22-2.25, 5.4, 5.7; S31.
// Called by protocols/connect; the token endpoint tells it which clients are in use.
export { describeRegistration } from './answer.ts'
export { clientRegistrationContribution } from './contribution.ts'
export { faultOf, RegistrationFault } from './faults.ts'
export { deleteRegistration, type Manager, readRegistration, replaceRegistration } from './manage.ts'
export { ClientMetadata } from './metadata-schema.ts'
export { type Asked, registerClient, type Registration } from './register.ts'
export { recordRejection } from './rejection.ts'
export { noteUse } from './use.ts'
