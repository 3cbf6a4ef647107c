// Everything people see: pure functions from typed properties to a complete HTML document. Few run a script; only passkeys need it.
// Specification part 5 (sign-in), contract 2.109 (branding), 4.2-4.5b (sign-in, landing, consent, logout, other devices), 7.1 (errors).
// Called by the protocols and by the application, which adds `pageHeaders()` and serves `pageAssets`.

export {
  type AnsweredPageProps,
  type ApprovalClient,
  type ApprovalPageProps,
  type ApprovalPlace,
  formatUserCode,
  renderAnsweredPage,
  renderApprovalPage,
  renderPushPage,
  renderQrConfirmPage,
  renderQrSvg,
  renderUserCodePage,
  type UserCodePageProps,
  type UserCodeProblem,
} from './approvals/index.ts'
export { type EnrollPageProps, renderEnrollPage } from './devices/index.ts'
export { assetHeaders, type PageAsset, pageAssets } from './assets.ts'
export { type RealmTheme, renderThemeCss, themeUsesDataImages } from './branding.ts'
export { type ClientErrorPageProps, renderClientErrorPage } from './client-error.tsx'
export { type AskingClient, clientLabel } from './client-label.ts'
export { type ClientSource, describeSource } from './client-source.tsx'
export { type ConsentPageProps, type ConsentResource, type ConsentScope, renderConsentPage } from './consent.tsx'
export { type ErrorPageProps, renderErrorPage } from './error.tsx'
export {
  type ErrorReferenceEntry,
  type ErrorReferenceIndexProps,
  type ErrorReferenceProps,
  renderErrorReferenceIndexPage,
  renderErrorReferencePage,
} from './error-reference.tsx'
export { contentSecurityPolicy, formPostHeaders, pageHeaders, type PolicyOptions } from './headers.ts'
export { type LandingPageProps, renderLandingPage } from './landing.tsx'
export { type LoggedOutPageProps, renderLoggedOutPage } from './logged-out.tsx'
export { type LogoutPageProps, renderLogoutPage } from './logout.tsx'
export {
  isLocale,
  type Locale,
  locales,
  type MessageKey,
  negotiateLocale,
  translate,
} from './messages/index.ts'
export {
  type ContinuePageProps,
  type FormPostPageProps,
  renderContinuePage,
  renderFormPostPage,
} from './pass-on.tsx'
export {
  type LinkPageProps,
  type MailSentPageProps,
  type RegisterPageProps,
  renderLinkPage,
  renderMailSentPage,
  renderRegisterPage,
  renderResetPasswordPage,
  type ResetPasswordPageProps,
} from './self-service/index.ts'
export { type RealmLook, renderDocument, Shell, type ShellProps } from './shell.tsx'
export { renderStepPage, type StepFrame, stepPageUsesScript } from './sign-in/index.ts'
export {
  renderSignPage,
  renderTransactionEndedPage,
  type SignPageProps,
  type TransactionEndedPageProps,
} from './transactions/index.ts'
