// The subject claim: what `sub` says about a person, for all clients of a realm that do not choose for themselves.
// Contract 4.14 and 2.16, OpenID Connect Core 8.
// Called under /subject-claim; the protocols read `subjectClaimSection`, domain/clients asks for the salt of pairwise subjects.
export { subjectClaimRoutes } from './routes.ts'
export { SubjectClaim } from './schema.ts'
export { type RealmSubjectClaim, subjectClaimSection } from './section.ts'
export { addPairwiseSalt, ensurePairwiseSalt, readSubjectClaim } from './service.ts'
