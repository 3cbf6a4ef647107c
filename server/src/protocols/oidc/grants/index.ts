// Grants that the engine does not bring: a person's password sent by an application, and one token exchanged for another.
// RFC 6749 section 4.3 (legacy) and RFC 8693; contract 2.66, 4.37, 4.39; S27, S28, S40.
// Registered by provider.ts when an issuer is made; token-claims.ts and aftermath.ts ask here about exchanged tokens.
import type { Provider } from 'oidc-provider'
import type { Services } from '../../../domain/context/index.ts'
import { createVerifier } from '../access-tokens.ts'
import type { IssuerParts } from '../issuer.ts'
import { answerExchange, exchangeParameters } from './exchange.ts'
import { answerPassword, passwordParameters } from './password.ts'
import { passwordGrant, tokenExchangeGrant } from './names.ts'

export function registerGrants(services: Services, parts: IssuerParts, provider: Provider): void {
  const verify = createVerifier(services, parts)
  provider.registerGrantType(
    passwordGrant,
    (ctx) => answerPassword(services, parts, ctx),
    passwordParameters,
    // Sent twice it is refused by what it means, not by how often it is there.
    ['resource'],
  )
  provider.registerGrantType(
    tokenExchangeGrant,
    (ctx) => answerExchange(services, parts, verify, ctx),
    exchangeParameters,
    ['resource', 'audience'],
  )
}
