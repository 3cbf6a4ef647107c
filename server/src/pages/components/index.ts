// Building blocks shared by the pages: fields, alerts, hidden values, sentences, avatars.
// Specification part 5 (sign-in form fields) and WCAG 2.2 AA.
// Called by the pages in the folder above.

export { Alert } from './alert.tsx'
export { Avatar } from './avatar.tsx'
export { Check } from './check.tsx'
export { Field } from './field.tsx'
export { HiddenFields } from './hidden-fields.tsx'
export { Message } from './message.tsx'
export { NewPassword } from './new-password.tsx'
