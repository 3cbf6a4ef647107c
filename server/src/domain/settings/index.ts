// Realm settings: the look, sign-in rules, lifetimes and policies of a realm, with a default for every member.
// Specification part 2 "Realm settings (branding part)", contract 2.64-2.66, 2.29, 2.109, 4.14.
// Read by nearly everything through `settingsSection` of the realm snapshot; written by PUT /settings and PUT /subject-claim.
export { settingsContribution } from './contribution.ts'
export { lookSection, type RealmAppearance } from './look.ts'
export { settingsRoutes } from './routes.ts'
export { defaultSettings, RealmSettings, type SettingsChange, SettingsInput, type SettingsMembers } from './schema.ts'
export { settingsSection } from './section.ts'
export { openCaptchaSecret, readSettings, updateSettings } from './service.ts'
export {
  ensurePairwiseSalt,
  type RealmSubjectClaim,
  SubjectClaim,
  subjectClaimRoutes,
  subjectClaimSection,
} from './subject-claim/index.ts'
