import { z } from 'zod'
import { pageQuery } from '../../admin-route/index.ts'
import { Claim, ClaimInput, claimSources, isReservedClaim } from '../../claims/index.ts'

const { claim, sourceKey, value, type, multivalued, ...shown } = ClaimInput.shape
const { inIdToken, inAccessToken, inUserinfo, inIntrospection } = shown

/** The members of a claim mapper (contract 2.98) without its name and its source, which the mapper itself has. */
const MapperConfig = z
  .strictObject({
    ...{ claim, sourceKey, value, type, multivalued, inIdToken, inAccessToken, inUserinfo, inIntrospection },
    inSaml: z.boolean().optional().describe('True by default for the protocol saml.'),
  })
  .meta({ id: 'MapperConfig' })

const ShownConfig = Claim.omit({ realmId: true, claimId: true, name: true, source: true })

export const Mapper = z
  .object({
    mapperId: z.uuid(),
    name: z.string(),
    protocol: z.enum(['oidc', 'saml']),
    type: z.enum(claimSources),
    config: ShownConfig,
  })
  .meta({ id: 'ProtocolMapper' })
export type Mapper = z.infer<typeof Mapper>

const name = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[^\s\p{Cc}](?:[^\p{Cc}]*[^\s\p{Cc}])?$/u, 'No control characters, no space at either end.')

const writable = {
  name,
  protocol: z.enum(['oidc', 'saml']).default('oidc'),
  type: z.enum(claimSources).describe('Where the value comes from.'),
  config: MapperConfig,
}

const sourced = new Set<string>(['ATTRIBUTE', 'PROPERTY', 'SESSION'])

interface Sourced {
  type: string
  config: { claim: string; sourceKey: string | null; value?: unknown }
}

/** Each source needs its own members, and only a session may say how somebody signed in. */
function checkSource({ type: source, config }: Sourced, check: z.RefinementCtx): void {
  const refuse = (member: string, message: string) =>
    check.addIssue({ code: 'custom', path: ['config', member], message })
  // What no source may fill is refused with the member itself.
  if (isReservedClaim(config.claim, source) && !isReservedClaim(config.claim, 'SESSION'))
    refuse('claim', 'Only the source SESSION may fill this claim.')
  if (sourced.has(source) && config.sourceKey === null) refuse('sourceKey', `${source} needs a sourceKey.`)
  if (source === 'CONSTANT' && (config.value ?? null) === null) refuse('value', 'A CONSTANT needs a value.')
  if (source !== 'CONSTANT' && (config.value ?? null) !== null) refuse('value', 'Only a CONSTANT has a value.')
}

export const MapperInput = z.strictObject(writable).superRefine(checkSource).meta({ id: 'ProtocolMapperInput' })
export type MapperInput = z.infer<typeof MapperInput>

export const MapperReplacement = z
  .strictObject({ ...writable, mapperId: z.unknown().optional() })
  .superRefine(checkSource)
  .meta({ id: 'ProtocolMapperReplacement' })

export const MapperQuery = pageQuery.meta({ id: 'ProtocolMapperQuery' })
export type MapperQuery = z.infer<typeof MapperQuery>
