import {
  DocumentRefusal,
  type DocumentRules,
  ensureDocumentClient,
  namesDocument,
} from '../../domain/registration/documents/index.ts'
import { ownOrigin, type Services } from '../../domain/context/index.ts'
import type { FindClient } from './client-cache.ts'
import { engineContext, errors } from './internals.ts'
import type { IssuerParts } from './issuer.ts'
import { currentUnit } from './unit.ts'

/**
 * Where a document may be read over the network. Only what begins a sign-in may lead to an application that nobody knows yet; a
 * token is only given to one that is known, and all other places take the client as it is.
 */
const readsAt: Record<string, 'ANY' | 'KNOWN'> = {
  authorization: 'ANY',
  pushed_authorization_request: 'ANY',
  token: 'KNOWN',
}

/** Finds clients as before, after one whose id is an address was brought up to date with its document. */
export function findWithDocuments(services: Services, parts: IssuerParts, find: FindClient): FindClient {
  return async (clientId, build) => {
    if (namesDocument(clientId) && !(await isDescribed(services, parts, clientId))) return undefined
    return find(clientId, build)
  }
}

async function isDescribed(services: Services, parts: IssuerParts, clientId: string): Promise<boolean> {
  const route = engineContext()?.oidc?.route
  try {
    return await ensureDocumentClient(services, {
      realmId: parts.realmId,
      clientId,
      rules: rulesOf(services, parts),
      reads: (route && readsAt[route]) || 'NONE',
      origin: currentUnit()?.origin ?? ownOrigin(''),
    })
  } catch (error) {
    if (!(error instanceof DocumentRefusal)) throw error
    throw toEngineError(error)
  }
}

function rulesOf({ egress }: Services, { provisioning, scopes }: IssuerParts): DocumentRules {
  return {
    enabled: provisioning.cimdEnabled,
    allowedHosts: provisioning.cimdAllowedHosts,
    maxClients: provisioning.dcrMaxClients,
    registration: {
      allowedGrantTypes: provisioning.dcrAllowedGrantTypes,
      allowedScopes: provisioning.dcrAllowedScopes,
      allowedRedirectHosts: provisioning.dcrAllowedRedirectHosts,
      realmScopes: scopes,
      egress,
    },
  }
}

function toEngineError(refusal: DocumentRefusal): Error {
  const oidc = engineContext()?.oidc as { noclient?: boolean } | undefined
  // The engine would look the client up once more to see where to send the error; there is nowhere to send it.
  if (oidc) oidc.noclient = true
  if (refusal.kind !== 'LIMITED') return new errors.InvalidClient(refusal.message, refusal.message)
  engineContext()?.set('retry-after', String(refusal.retryAfterSeconds ?? 1))
  const busy = new errors.CustomOIDCProviderError('temporarily_unavailable', refusal.message)
  return Object.assign(busy, { status: 429, statusCode: 429, expose: true })
}
