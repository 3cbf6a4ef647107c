// OIDC clients: the applications that sign people in and the machines that act for themselves.
// Specification part 2 (OIDC client), contract 0.1, 2.10-2.17, 4.8, 5.2; S8, S23.
// Its routes are under /clients; the protocols read a client by its clientId on every request.
export { oneAlgorithmSection } from './algorithms-section.ts'
export { clientsContribution } from './contribution.ts'
export { exampleClient } from './example.ts'
export {
  type GrantType,
  type GrantTypeSpelling,
  grantTypeSpellings,
  grantTypes,
  normaliseGrantTypes,
  standardGrantType,
} from './grant-types.ts'
export { fapiAlgorithms, usableKeys } from './jwks.ts'
export { type ProtocolClient, readProtocolClient } from './protocol-client.ts'
export { type ClientStamp, readClientStamp } from './protocol-store.ts'
export { clientRoutes } from './routes.ts'
export { Client, ClientId, ClientInput } from './schema.ts'
export { createClient, deleteClient, findClient, loadClient, replaceClient } from './service.ts'
export { type ClientSettings, judgedText, maxUris, tokenEndpointAuthMethods } from './settings-schema.ts'
export { absoluteUriFault, isCustomScheme, webUrlFault } from './uris.ts'
