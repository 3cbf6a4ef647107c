/** As stored and shown: the specification's spellings (contract 2.10). */
export const grantTypes = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  'password',
  'device',
  'CIBA',
  'token-exchange',
] as const
export type GrantType = (typeof grantTypes)[number]

/** What is accepted besides: the names that the RFCs and other products use. */
const otherSpellings = {
  'urn:ietf:params:oauth:grant-type:device_code': 'device',
  device_code: 'device',
  'urn:openid:params:grant-type:ciba': 'CIBA',
  ciba: 'CIBA',
  'urn:ietf:params:oauth:grant-type:token-exchange': 'token-exchange',
} as const satisfies Record<string, GrantType>

type OtherSpelling = keyof typeof otherSpellings
export type GrantTypeSpelling = GrantType | OtherSpelling
export const grantTypeSpellings = [...grantTypes, ...(Object.keys(otherSpellings) as OtherSpelling[])] as const

const standardNames: Partial<Record<string, string>> = {
  device: 'urn:ietf:params:oauth:grant-type:device_code',
  CIBA: 'urn:openid:params:grant-type:ciba',
  'token-exchange': 'urn:ietf:params:oauth:grant-type:token-exchange',
}

/** The name that the RFCs give a grant (contract 2.10). */
export function standardGrantType(name: string): string {
  return standardNames[name] ?? name
}

/** The specification's spellings, each once. */
export function normaliseGrantTypes(given: readonly GrantTypeSpelling[]): GrantType[] {
  return [...new Set(given.map((name) => (otherSpellings as Record<string, GrantType>)[name] ?? (name as GrantType)))]
}
