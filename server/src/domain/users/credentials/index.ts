// A user's credentials: the list without any secret, giving and revoking them, and which factors somebody can use.
// Contract 2.40, 2.46, 2.47, 5.2, specification part 4 (users); S9, S11.
// Called under /users/{userId}/credentials and by domain/sign-in; passwords themselves are set in ../password.
export { credentialsContribution } from './contribution.ts'
export { listUsableFactors, type UsableFactors } from './factors.ts'
export { recordAdded } from './record-added.ts'
export { credentialRoutes } from './routes.ts'
export {
  Credential,
  CredentialQuery,
  credentialTypes,
  NewCredential,
} from './schema.ts'
export { listCredentials, loadCredential, readCredential, removeCredential, renameCredential } from './service.ts'
