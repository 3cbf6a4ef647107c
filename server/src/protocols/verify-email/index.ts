// The link that proves an e-mail address: /realms/{realm}/verify-email.
// Contract 4.5b; S41. It proves the address it was sent to and signs nobody in.
// Mounted by app/build-app; the mail is sent by the required action VERIFY_EMAIL of domain/sign-in.
export { registerVerifyEmail } from './routes.ts'
