// Building blocks shared by the pages: fields, alerts, hidden values, sentences, avatars, QR codes, what an application asks for.
// Specification part 5 (sign-in form fields) and WCAG 2.2 AA.
// Called by the pages in the folder above.

export { Account } from './account.tsx'
export { Alert } from './alert.tsx'
export { type AskedResource, type AskedScope, HomePage, Resources, Scopes } from './asked.tsx'
export { Avatar } from './avatar.tsx'
export { Check } from './check.tsx'
export { Decision } from './decision.tsx'
export { Field, maxUserCodeLength } from './field.tsx'
export { HiddenFields } from './hidden-fields.tsx'
export { type ActingLook, ImpersonationBanner } from './impersonation-banner.tsx'
export { Message } from './message.tsx'
export { NewPassword } from './new-password.tsx'
export { OutcomeSign } from './outcome-sign.tsx'
export { drawQrCode, QrCode } from './qr-code.tsx'
