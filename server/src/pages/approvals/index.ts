// Pages on which a person answers a request that waits on another device: the code a device shows, the question, the end.
// RFC 8628 (3.3, 5.4), CIBA Core 1.0; contract 4.5b (`/device`, `/approve/{id}`), 4.27, 4.30; S47; WCAG 2.2 AA.
// Called by protocols/oidc/approvals, protocols/push and protocols/qr.

export { type AnsweredPageProps, renderAnsweredPage } from './answered.tsx'
export { renderApprovalPage } from './approval.tsx'
export type { ApprovalClient, ApprovalPageProps, ApprovalPlace } from './approval-props.ts'
export { formatUserCode } from './format-user-code.ts'
export { type PushPageProps, renderPushPage } from './push.tsx'
export { type QrConfirmPageProps, renderQrConfirmPage } from './qr-confirm.tsx'
export { renderQrSvg } from './qr-svg.tsx'
export { renderUserCodePage, type UserCodePageProps, type UserCodeProblem } from './user-code.tsx'
