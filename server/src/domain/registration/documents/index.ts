// Clients that name the address of a document which describes them: the document is read, judged, and kept as a client.
// OAuth Client ID Metadata Document (draft-ietf-oauth-client-id-metadata-document); contract 2.16, 2.25, 4.15; S31, S45.
// Called by protocols/oidc before it looks up a client whose id is an address.
export { namesDocument } from './address.ts'
export type { DocumentRules } from './judge.ts'
export { DocumentRefusal } from './refusal.ts'
export { ensureDocumentClient } from './service.ts'
