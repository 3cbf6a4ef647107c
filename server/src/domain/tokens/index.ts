// What becomes of tokens: what the engine keeps, what voids a token, and for whom tokens are made.
// Architecture 2 and 5, contract 2.19-2.21, 2.43, 2.100; S12, S25, S26, S29.
// Read and written by protocols/oidc; folders that end a person, session or client reach it through reactions.
export { addClientActivity, selectServiceAccounts } from './activity-store.ts'
export { tokensContribution } from './contribution.ts'
export {
  type Consumption,
  consumptionPart,
  grantEndPart,
  type GrantSourceRow,
  insertOnce,
  type ModelInsert,
  modelPart,
  readGrantSource,
  readModel,
  removalPart,
} from './model-store.ts'
export { answerWaiting, readPoll, readWaiting } from './waiting-store.ts'
export { readPersonRoles } from './person-store.ts'
export { readTokenState, type TokenStateRow } from './revocation-store.ts'
export {
  longestTokenMs,
  modelId,
  readTokenUser,
  revokeAllTokens,
  revokeSessionlessGrants,
  revokeToken,
  revokeUserClientGrants,
  revokeUserGrants,
  type TokenUser,
  toTokenUser,
} from './service.ts'
