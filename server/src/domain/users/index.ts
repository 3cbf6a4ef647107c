// Users of a realm: people and, later, the users behind service accounts.
// Specification part 2 (User), contract 2.35-2.50; S11, S12.
// Its routes are under /users; sign-in, roles and provisioning use its functions.
export { usersContribution } from './contribution.ts'
export { changeOwnProfile, type OwnProfile, readOwnProfile } from './own-profile.ts'
export { exampleUser, userRoutes } from './routes.ts'
export {
  Attributes,
  Email,
  Locale,
  Phone,
  RequiredAction,
  requiredActionNames,
  User,
  UserInput,
  Username,
  type UserReplacement,
} from './schema.ts'
export { createUser, deleteUser, loadUser, replaceUser } from './service.ts'
export { selectEmail as findUserEmail, selectTermsAcceptedAt as findTermsAcceptedAt } from './store.ts'
