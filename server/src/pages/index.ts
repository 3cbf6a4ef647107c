// Everything people see: pure functions from typed properties to a complete HTML document, without script.
// Specification part 5 (sign-in), contract 2.109 (branding), 4.2-4.5b (sign-in page, landing), 7.1 (error pages).
// Called by the protocols and by the application, which adds `pageHeaders()` and serves `pageAssets`.

export { assetHeaders, type PageAsset, pageAssets } from './assets.ts'
export { type RealmTheme, renderThemeCss, themeUsesDataImages } from './branding.ts'
export { type ErrorPageProps, renderErrorPage } from './error.tsx'
export {
  type ErrorReferenceIndexProps,
  type ErrorReferenceProps,
  renderErrorReferenceIndexPage,
  renderErrorReferencePage,
} from './error-reference.tsx'
export { contentSecurityPolicy, pageHeaders, type PolicyOptions } from './headers.ts'
export { type LandingPageProps, renderLandingPage } from './landing.tsx'
export { type LoginError, type LoginPageProps, renderLoginPage } from './login.tsx'
export { type Locale, locales, type MessageKey, negotiateLocale, translate } from './messages/index.ts'
export { type RealmLook, renderDocument, Shell, type ShellProps } from './shell.tsx'
export { renderUpdatePasswordPage, type UpdatePasswordPageProps } from './update-password.tsx'
