import { z } from 'zod'
import { booleanText, pageQuery } from '../admin-route/index.ts'

/** RFC 6749 3.3: printable ASCII without space, quote and backslash. Contract 2.9 for the length. */
export const ScopeName = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'Printable ASCII characters without space, quote and backslash.')

const description = z.string().max(1024).nullable()
const consentText = z.string().max(1024).nullable()

export const ClientScope = z
  .object({
    realmId: z.string(),
    scopeId: z.uuid(),
    name: z.string(),
    description: z.string().nullable(),
    consentText: z.string().nullable().describe('What the person reads on the consent page; null shows the name.'),
    defaultScope: z.boolean().describe('Every client may ask for it without listing it.'),
    includeInTokenScope: z.boolean().describe('Whether it is named in the claim `scope` of access tokens.'),
    claimIds: z.array(z.uuid()).describe('Claim mappers that follow from it, in the order of their names.'),
    createdAt: z.int(),
  })
  .meta({ id: 'ClientScope' })
export type ClientScope = z.infer<typeof ClientScope>

const writable = {
  description: description.default(null),
  consentText: consentText.default(null),
  defaultScope: z.boolean().default(false),
  includeInTokenScope: z.boolean().default(true),
}

export const ClientScopeInput = z.strictObject({ name: ScopeName, ...writable }).meta({ id: 'ClientScopeInput' })
export type ClientScopeInput = z.infer<typeof ClientScopeInput>

// Read-only members may come back as they were read: GET, edit, PUT must work (contract 2.2).
const readOnly = z.unknown().optional()

export const ClientScopeReplacement = z
  .strictObject({
    name: ScopeName.optional().describe('Never changes, because clients, consents and tokens name it.'),
    ...writable,
    realmId: readOnly,
    scopeId: readOnly,
    claimIds: readOnly.describe('Read-only: PUT /client-scopes/{scopeId}/claims/{claimId} attaches a mapper.'),
    createdAt: readOnly,
  })
  .meta({ id: 'ClientScopeReplacement' })
export type ClientScopeReplacement = z.infer<typeof ClientScopeReplacement>

export const ClientScopeQuery = pageQuery.meta({ id: 'ClientScopeQuery' })
export type ClientScopeQuery = z.infer<typeof ClientScopeQuery>

export const ClientScopeDeletion = z.strictObject({
  force: booleanText.optional().describe('Also takes the scope from the clients that list it.'),
})
export type ClientScopeDeletion = z.infer<typeof ClientScopeDeletion>
