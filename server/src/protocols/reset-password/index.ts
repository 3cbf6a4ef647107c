// A forgotten password: asking for a link by mail, and the link itself, /realms/{realm}/reset-password.
// Contract 4.5b, 3.7, 5.7; S41-S43. The answer is the same whether or not anybody has the name.
// Mounted by app/build-app; the new password is set in domain/sign-in, after any second factor the person has.
export { registerResetPassword } from './routes.ts'
