// Pages for people who are not signed in yet: registration, forgotten password, links from mail.
// Contract 4.5b; S42, S47; WCAG 2.2 AA.
// Called by protocols/register, reset-password, verify-email and actions, and by the sign-in link.

export { type LinkPageProps, renderLinkPage } from './link.tsx'
export { type MailSentPageProps, renderMailSentPage } from './mail-sent.tsx'
export { type RegisterPageProps, renderRegisterPage } from './register.tsx'
export { renderResetPasswordPage, type ResetPasswordPageProps } from './reset-password.tsx'
