import { z } from 'zod'
import { PasswordPolicy } from '../passwords/index.ts'
import { mergeMember, mergeMembers } from './merge-schema.ts'
import { accountMembers, adminMembers } from './schema-accounts.ts'
import { brandingMembers, plainLine } from './schema-branding.ts'
import { lifetimeMembers } from './schema-lifetimes.ts'
import {
  acrAliases,
  acrAliasesInput,
  BruteForce,
  Captcha,
  CaptchaInput,
  MfaPolicy,
  SecurityHeaders,
} from './schema-security.ts'
import { SamlDefaults, WebauthnPolicy } from './schema-protocols.ts'

/** Members that stand for themselves: a change replaces them whole. */
const plainMembers = { ...brandingMembers, ...accountMembers, ...adminMembers, ...lifetimeMembers }

/** Objects that a change merges one level deep (contract 2.64). */
const policies = {
  passwordPolicy: PasswordPolicy,
  bruteForce: BruteForce,
  mfaPolicy: MfaPolicy,
  webauthnPolicy: WebauthnPolicy,
  samlDefaults: SamlDefaults,
  securityHeaders: SecurityHeaders,
}

/** Kept in the realm's own row, because the list of realms shows them, too. */
const realmMembers = {
  displayName: plainLine(255).nullable().default(null).describe('Name of the realm for people.'),
  enabled: z
    .boolean()
    .default(true)
    .describe('A disabled realm refuses everybody; only the system realm can enable it again.'),
}

/** All settings with every member present: what GET and PUT answer, and what the rest of the service reads. */
export const RealmSettings = z
  .strictObject({
    realmId: z.string().describe('The realm; read-only.'),
    ...realmMembers,
    ...plainMembers,
    ...policies,
    captcha: Captcha,
    acrAliases,
  })
  .meta({ id: 'RealmSettings', description: 'Every setting of a realm, defaults included.' })

export type RealmSettings = z.output<typeof RealmSettings>

/** The settings without the name of their realm. */
export type SettingsMembers = Omit<RealmSettings, 'realmId'>

export const defaultSettings: Readonly<SettingsMembers> = freezeDeep({
  ...z.object({ ...realmMembers, ...plainMembers }).parse({}),
  passwordPolicy: PasswordPolicy.parse({}),
  bruteForce: BruteForce.parse({}),
  mfaPolicy: MfaPolicy.parse({}),
  webauthnPolicy: WebauthnPolicy.parse({}),
  samlDefaults: SamlDefaults.parse({}),
  securityHeaders: SecurityHeaders.parse({}),
  captcha: Captcha.parse({}),
  acrAliases: {},
})

type Change<Members> = { [Name in keyof Members]?: Members[Name] | null | undefined }
type Nested = keyof typeof policies | 'acrAliases'

/** A change of settings: absent = unchanged, null = back to the default. */
export type SettingsChange = Change<Omit<RealmSettings, Nested | 'captcha'>> & {
  [Name in Nested]?: Change<RealmSettings[Name]> | null | undefined
} & { captcha?: z.output<typeof CaptchaInput> | null | undefined }

const mergedPlainMembers = mergeMembers({ ...realmMembers, ...plainMembers })
const mergedPolicies = Object.fromEntries(
  Object.entries(policies).map(([name, policy]) => [
    name,
    mergeMember(z.strictObject(mergeMembers(policy.shape)).describe(policy.description ?? name)),
  ]),
)

export const SettingsInput: z.ZodType<SettingsChange> = z
  .strictObject({
    realmId: z.string().max(255).nullable().optional().describe('Read-only: accepted and ignored.'),
    ...mergedPlainMembers,
    ...mergedPolicies,
    captcha: mergeMember(CaptchaInput),
    acrAliases: mergeMember(acrAliasesInput),
  })
  .meta({
    id: 'RealmSettingsInput',
    description: 'Settings to change: absent = unchanged, null = back to the default; objects merge one level deep.',
  }) as unknown as z.ZodType<SettingsChange>

// The same objects are part of every resolved settings object, in every snapshot.
function freezeDeep<T extends object>(value: T): T {
  for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) freezeDeep(inner)
  return Object.freeze(value)
}
