// A person's new e-mail address: it counts once whoever reads it has said so, and not before.
// Contract 4.32; S39, S41, S42.
// Asked for by protocols/account and the sign-in’s profile form, confirmed by the link that leads to protocols/verify-email.
export { canConfirmEmail, confirmNewEmail, requestNewEmail } from './service.ts'
