// Recovery codes: ten of them to print, each works once when every other factor is out of reach.
// Contract 2.46, 2.47 and 2.66; S40, S41.
// Called by domain/sign-in and by the routes of ..; failed codes are counted by whoever calls, in domain/lockout.
export { makeRecoveryCodes } from './codes.ts'
export { storeRecoveryCodes, useRecoveryCode } from './service.ts'
