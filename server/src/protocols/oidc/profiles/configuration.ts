import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import type { Services } from '../../../domain/context/index.ts'
import type { IssuerParts } from '../issuer.ts'
import { clientAlgorithms, proofAlgorithms, tokenAlgorithms } from './algorithms.ts'
import { assertAssertion } from './client-assertions.ts'
import { dpopFeature } from './dpop.ts'
import { needsPkce, profileOf } from './fapi.ts'
import { assertRequestObject } from './request-objects.ts'
import { clockToleranceSeconds } from './times.ts'

/** What clients must prove and with which algorithms, as the engine is told. */
export function profileConfiguration(parts: IssuerParts): Configuration {
  return {
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
    enabledJWA: {
      idTokenSigningAlgValues: tokenAlgorithms,
      authorizationSigningAlgValues: tokenAlgorithms,
      clientAuthSigningAlgValues: clientAlgorithms,
      requestObjectSigningAlgValues: clientAlgorithms,
      dPoPSigningAlgValues: proofAlgorithms,
    },
    clockTolerance: clockToleranceSeconds,
    assertJwtClientAuthClaimsAndHeader: async (ctx, claims, header, client) =>
      assertAssertion(parts, ctx as KoaContextWithOIDC, claims as never, header, client),
    pkce: { required: (_ctx, client) => needsPkce(client) },
  } as Configuration
}

export function profileFeatures(services: Services, { realmId }: IssuerParts): Configuration['features'] {
  return {
    dPoP: dpopFeature(services, realmId),
    fapi: { enabled: true, profile: (_ctx, client) => profileOf(client) },
    requestObjects: {
      enabled: true,
      assertJwtClaimsAndHeader: async (ctx, claims, header, client) =>
        assertRequestObject(ctx as KoaContextWithOIDC, claims, header, client),
    },
    jwtResponseModes: { enabled: true },
  } as Configuration['features']
}
