import type { Claim } from './schema.ts'

/** What a mapper does, without where it is kept. */
export type ClaimMapper = Omit<Claim, 'realmId' | 'claimId'>

export type ClaimTarget = 'ID_TOKEN' | 'ACCESS_TOKEN' | 'USERINFO' | 'INTROSPECTION' | 'SAML'

/** Everything a claim may be made of. What no mapper asks for may be left empty. */
export interface Person {
  userId: string
  username: string
  email: string | null
  emailVerified: boolean
  phone: string | null
  phoneVerified: boolean
  locale: string | null
  attributes: Record<string, string | string[]>
  /** Epoch milliseconds, as everywhere in the service; in claims they are seconds. */
  createdAt: number
  updatedAt: number
  /** Effective: through composite roles and groups, too. */
  realmRoles: string[]
  clientRoles: { clientId: string; name: string }[]
  groups: string[]
  /** By the organization's alias. */
  organizations: Record<string, { id: string; roles: string[] }>
  /** The sign-in behind the token; `authTime` in seconds, as the claim auth_time has it. */
  session: { authTime: number; acr: string; amr: string[]; sid: string } | null
}
