// A user's credentials as administrators see them: the list without any secret, setting and revoking.
// Contract 2.46, 2.47, 5.2, specification part 4 (users); S9.
// Called under /users/{userId}/credentials; passwords themselves are set in ../password.
export { credentialRoutes } from './routes.ts'
export { Credential, credentialTypes } from './schema.ts'
