import { z } from 'zod'
import { httpsUrl } from './schema-branding.ts'

// Language, optional script, optional region (BCP 47), in the case that catalogues of messages use.
const locale = z
  .string()
  .max(16)
  .regex(/^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\d{3}))?$/, 'must be a language tag such as en or pt-BR')

/** What people may do with their accounts, and what the pages tell them. */
export const accountMembers = {
  registrationAllowed: z.boolean().default(false).describe('People may register themselves.'),
  verifyEmail: z.boolean().default(false).describe('A new e-mail address must be confirmed before the next sign-in.'),
  resetPasswordAllowed: z.boolean().default(true).describe('The sign-in page offers to reset a forgotten password.'),
  rememberMe: z
    .boolean()
    .default(true)
    .describe('The sign-in page offers to stay signed in when the browser is closed.'),
  loginWithEmail: z.boolean().default(true).describe('The e-mail address is accepted in place of the username.'),
  selfDeletionAllowed: z.boolean().default(false).describe('People may erase their own account.'),
  defaultLocale: locale
    .default('en')
    .describe('Language of pages and messages when the person prefers none of the others.'),
  supportedLocales: z
    .array(locale)
    .min(1)
    // More than twice the official languages of the European Union.
    .max(64)
    .default(['en'])
    .describe('Languages offered to people; contains defaultLocale.'),
  termsUrl: httpsUrl.nullable().default(null).describe('Terms of use, linked from every page.'),
  privacyUrl: httpsUrl.nullable().default(null).describe('Privacy statement, linked from every page.'),
  supportEmail: z.email().max(254).nullable().default(null).describe('Where people find help, linked from every page.'),
}

/** What administrators may do, and what is recorded. */
export const adminMembers = {
  impersonationEnabled: z.boolean().default(true).describe('Administrators may act as a user.'),
  clientSecretRevealAllowed: z.boolean().default(true).describe('The secret of a client can be read again.'),
  adminBearerEnabled: z.boolean().default(true).describe('The admin API also accepts access tokens.'),
  adminReauth: z.boolean().default(false).describe('Delicate admin actions need a sign-in of the last 15 minutes.'),
  auditTokenEvents: z.boolean().default(true).describe('Issued and refreshed tokens are recorded in the audit trail.'),
  agentReviewEnforced: z.boolean().default(false).describe('Agents whose review is 30 days overdue are suspended.'),
  eventRetentionDays: z
    .int()
    .min(1)
    // Ten years is the longest retention that laws on bookkeeping ask for.
    .max(3650)
    .nullable()
    .default(null)
    .describe('Days after which audit events are removed; null keeps them as long as the server does.'),
}
