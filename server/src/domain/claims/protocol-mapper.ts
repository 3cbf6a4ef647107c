import type { ClaimMapper } from './mapper.ts'
import { type Claim, claimSources, claimTypes } from './schema.ts'

/** A client's own mapper (contract 2.99). Its `config` has the members of a claim mapper by their names. */
export interface ProtocolMapper {
  name: string
  protocol: string
  type: string
  config: unknown
}

/**
 * A client's mapper as a claim mapper. Members that are missing or unreadable have their defaults, so that nothing that was ever
 * stored can keep a token from being made; null when the source is unknown, for then there is nothing to read.
 */
export function toClaimMapper(mapper: ProtocolMapper): ClaimMapper | null {
  const source = claimSources.find((known) => known === mapper.type)
  if (!source) return null
  const config = (typeof mapper.config === 'object' ? mapper.config : null) as Record<string, unknown> | null
  const read = (member: string): unknown => (config && Object.hasOwn(config, member) ? (config[member] ?? null) : null)
  const isSaml = mapper.protocol === 'saml'
  return {
    name: mapper.name,
    claim: readText(read('claim')) ?? mapper.name,
    source,
    sourceKey: readText(read('sourceKey')),
    value: read('value'),
    type: readType(read('type')),
    multivalued: readFlag(read('multivalued'), false),
    inIdToken: readFlag(read('inIdToken'), true) && !isSaml,
    inAccessToken: readFlag(read('inAccessToken'), true) && !isSaml,
    inUserinfo: readFlag(read('inUserinfo'), true) && !isSaml,
    inIntrospection: readFlag(read('inIntrospection'), true) && !isSaml,
    // A mapper of the other protocol has no say there.
    inSaml: isSaml && readFlag(read('inSaml'), true),
  }
}

function readText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** Configurations that come from elsewhere write flags as text. */
function readFlag(value: unknown, fallback: boolean): boolean {
  if (value === true || value === 'true') return true
  return value === false || value === 'false' ? false : fallback
}

function readType(value: unknown): Claim['type'] {
  return claimTypes.find((known) => known === value) ?? 'STRING'
}
