// A user's password: the reset by an administrator, and the pieces that sign-in and bootstrap set a password with.
// Contract 2.44, 2.65, 3.7, 6.4, 7.3, specification part 2 (User); S9, S43.
// Called under /users/{userId}/password and …/credentials, by the required action UPDATE_PASSWORD and when a realm is made.
export { checkNewPassword, type NewPassword, type PasswordCheck, passwordRefused } from './check.ts'
export { passwordRoutes } from './routes.ts'
export { liftLock, prepareReset, removePassword, resetPassword, setPassword } from './service.ts'
