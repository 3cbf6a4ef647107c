// The sign-in page, its form and JSON variants, and signing out: /realms/{realm}/login.
// Specification part 5, contract 4.2-4.5; S37, S38, S42.
// Mounted by app/build-app; the steps themselves are in domain/sign-in.
export { registerLogin } from './routes.ts'
