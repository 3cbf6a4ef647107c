// Codes and links that are sent to people: short-lived, used once, stored as hashes, replaced by a newer one.
// Contract 2.47 and 2.104, specification part 5; S41, S51, S52.
// Called by the steps of domain/sign-in and by the pages that a link leads to; messages carry the values, nothing else does.
export { issueCode, useCode } from './codes.ts'
export { oneTimeSecretsContribution } from './contribution.ts'
export { revokeSecrets } from './revoke.ts'
export { addressSubject } from './subjects.ts'
export { issueToken, peekToken, useToken } from './tokens.ts'
export type { Issue, Purpose, StoredSecret } from './types.ts'
export { useOnce } from './use-once.ts'
