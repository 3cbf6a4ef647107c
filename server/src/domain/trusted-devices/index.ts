// Browsers that are not asked for a second factor for a while, because their person said so after giving one.
// Contract 2.66 (`mfaPolicy.trustedDeviceDays`); S41, S52.
// Called by domain/sign-in; what ends a factor or changes a password calls `forgetDevices`.
export { trustedDevicesContribution } from './contribution.ts'
export { findTrustedDevice, forgetDevices, listTrustedDevices, trustDevice } from './service.ts'
