import type { Provider } from 'oidc-provider'
import { issuerOf, type Services } from '../../domain/context/index.ts'
import { oneAlgorithmSection } from '../../domain/clients/index.ts'
import { type RealmScopes, scopesSection } from '../../domain/client-scopes/index.ts'
import type { SubjectChoice } from '../../domain/claims/index.ts'
import { flowsSection, type FlowStep } from '../../domain/flows/index.ts'
import { keysSection, openSigningKey, type PublicSigningKey } from '../../domain/keys/index.ts'
import { type Provisioning, provisioningSection } from '../../domain/provisioning/index.ts'
import { type RealmSettings, settingsSection, subjectClaimSection } from '../../domain/settings/index.ts'
import type { RealmSnapshot, Section } from '../../domain/snapshot/index.ts'
import type { OpenSigningKey } from '../../domain/keys/index.ts'
import { DomainError } from '../../platform/errors/index.ts'
import type { LiveToken } from './access-tokens.ts'
import { cibaGrant, deviceGrant } from './approvals/models.ts'
import { createLiveLookup } from './found-tokens.ts'
import { passwordGrant, tokenExchangeGrant } from './grants/names.ts'
import { buildProvider } from './provider.ts'

/** What an issuer is made of: the realm's configuration at one version. */
export interface IssuerParts {
  realmId: string
  issuer: string
  settings: RealmSettings
  scopes: RealmScopes
  subject: SubjectChoice
  keys: PublicSigningKey[]
  signingKey: OpenSigningKey
  /** All tokens of the realm are signed with RS256. */
  oneAlgorithm: boolean
  /** A session that is there already is enough for an application that asks: the browser flow has the step `cookie`. */
  singleSignOn: boolean
  /** How applications may come by themselves. */
  provisioning: Readonly<Omit<Provisioning, 'scimBaseUrl'>>
  /** Grant types this server knows, by the names of the standards. */
  grantTypes: ReadonlySet<string>
}

export interface Issuer extends IssuerParts {
  provider: Provider
  /** An access token of this issuer that verifies and still counts; looked up once in a request. */
  findLive(token: string): Promise<LiveToken | null>
  /** Answers a request that was cut down to the path below the issuer. */
  answer: ReturnType<Provider['callback']>
}

// Measured with 2,000 realms that had each issued and introspected a token: 102 KB of heap a realm, all of it in here.
const providerBytes = 120_000

export const grantTypes: ReadonlySet<string> = new Set([
  'authorization_code',
  'refresh_token',
  'client_credentials',
  deviceGrant,
  cibaGrant,
  passwordGrant,
  tokenExchangeGrant,
])

const sections = new WeakMap<Services, Section<Issuer>>()

/** The realm's issuer, made once for a version of its configuration and replaced whole when that changes. */
export function findIssuer(services: Services, realm: RealmSnapshot): Promise<Issuer> {
  let section = sections.get(services)
  if (!section) {
    section = createIssuerSection(services)
    sections.set(services, section)
  }
  return realm.section(section)
}

function createIssuerSection(services: Services): Section<Issuer> {
  return {
    name: 'issuer',
    async load(_sources, realmId) {
      const realm = await services.snapshots.find(realmId)
      if (!realm) throw new DomainError('realm_not_found', 'There is no realm of this name.')
      const [settings, scopes, subject, keys, oneAlgorithm, flows, provisioning, signingKey] = await Promise.all([
        realm.section(settingsSection),
        realm.section(scopesSection),
        realm.section(subjectClaimSection),
        realm.section(keysSection),
        realm.section(oneAlgorithmSection),
        realm.section(flowsSection),
        realm.section(provisioningSection),
        openSigningKey(services, realmId),
      ])
      const issuer = issuerOf(services, realmId)
      const singleSignOn = acceptsSession(flows.BROWSER.steps)
      const parts: IssuerParts = {
        ...{ realmId, issuer, settings, scopes, subject, keys, signingKey, oneAlgorithm, singleSignOn, grantTypes },
        provisioning,
      }
      const findLive = createLiveLookup(services, parts)
      const provider = buildProvider(services, parts, findLive)
      return { ...parts, findLive, provider, answer: provider.callback() }
    },
    sizeOf: () => providerBytes,
  }
}

function acceptsSession(steps: FlowStep[]): boolean {
  return steps.some(
    ({ authenticator, requirement, steps: inner }) =>
      requirement !== 'DISABLED' && (authenticator === 'cookie' || acceptsSession(inner)),
  )
}
