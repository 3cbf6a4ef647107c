// Self-registration: the form and the mailed link that finishes it, /realms/{realm}/register.
// Contract 2.64, 4.5b, 7.6; S41, S42. The answer is the same whether or not the address has an account.
// Mounted by app/build-app; the account is made in domain/users/registration once the address is proved.
export { registerRegistration } from './routes.ts'
