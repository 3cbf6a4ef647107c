// What the surfaces of the sign-in share: who visits, in which language, and how a step is answered as a page or as JSON.
// Contract 4.2-4.5b; S38, S42.
// Called by protocols/login, register, reset-password, verify-email, push, qr, tx, account and oidc.
export { answerSignIn, type PageAnswer, sendStepPage } from './answer-sign-in.ts'
export { describeQuestion, sendAnsweredPage } from './approval-pages.ts'
export { type ApproverVisit, askToSignIn, readApprover, runAsApprover } from './approver.ts'
export { type Form, isForeignForm, readForm, refuseForeignForm } from './form.ts'
export { sendLinkPage } from './link-page.ts'
export { limitSelfService } from './limit.ts'
export { requestOf } from './request.ts'
export { findSession, sendToSignIn } from './session.ts'
export { frameOf, localeOf, readVisit, sendPage, type Visit, wantsHtml, wantsJson } from './visit.ts'
