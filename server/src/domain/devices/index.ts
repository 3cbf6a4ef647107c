// Devices of people: telephones and programs with a key of their own, how they are enrolled, and what they sign.
// Specification part 4 (device enrolment), contract 2.46, 2.47, 4.33, 5.4; S12, S39, S41, S48.
// Called by protocols/device, domain/users/credentials, domain/sign-in, and whatever a device answers: push, QR, transactions.
export { authenticateDevice, type DeviceCaller } from './authenticate.ts'
export { devicesContribution } from './contribution.ts'
export { type EnrolledDevice, enrollDevice, proveEnrollment } from './enroll.ts'
export type { EnrollmentRow as Enrollment } from './enrollments-store.ts'
export {
  endEnrollments,
  enrollmentUrlOf,
  findEnrolledDevice,
  findEnrollment,
  isEnrollmentOpen,
  type IssuedEnrollment,
  issueEnrollment,
  startEnrollment,
} from './enrollments.ts'
export { Device, DeviceName, Platform, PublicKey } from './schema.ts'
export { listDevices, removeDevice } from './service.ts'
export { verifyStatement } from './statements.ts'
