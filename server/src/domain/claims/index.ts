// Claim mappers: where a member of a token comes from, in which tokens it appears, and what a person is called there (`sub`).
// Contract 2.98, 2.99 and 4.14, OpenID Connect Core 5.1, 5.4 and 8.1.
// Called under /claims, by client-scopes, which bundles mappers, and by the protocols when they make tokens and answers.
export { claimsContribution } from './contribution.ts'
export type { ClaimMapper, ClaimTarget, Person } from './mapper.ts'
export { toClaimMapper } from './protocol-mapper.ts'
export { needsRoles, resolveClaims } from './resolve.ts'
export { claimRoutes, exampleClaim } from './routes.ts'
export { Claim, ClaimInput, claimSources } from './schema.ts'
export { isReservedClaim, topLevelClaim } from './reserved.ts'
export { assertClaimExists, readRealmClaims, seedClaims } from './service.ts'
export { resolveSubject, type SubjectChoice, type SubjectStrategy, subjectStrategies } from './subject.ts'
