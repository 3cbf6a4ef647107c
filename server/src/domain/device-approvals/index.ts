// Questions of a sign-in that a person answers in another place: by push, with a device's key, or by reading a QR code.
// Contract 3.8, 4.34, 4.35; S12, S39, S40.
// Asked by the steps of domain/sign-in, answered under /realms/{realm}/push and /qr.
export {
  answerApproval,
  type ApprovalAnswer,
  type Approver,
  confirmQr,
  maySayYes,
  readForPerson,
  readQr,
  scanQr,
} from './answer.ts'
export { approvalsContribution } from './contribution.ts'
export type { Approval } from './record.ts'
export { PushRequest, QrRequest, toPushRequest, toQrRequest } from './schema.ts'
export { askElsewhere, endApprovals, findApproval, listPendingApprovals, takeApproval } from './service.ts'
