// Which resource servers a client may ask tokens for.
// RFC 8707, contract 4.7, 4.6, 5.2; S8, S29.
// Called under /clients/{clientId}/allowed-resources; the token endpoint reads the list with the client.
export { allowedResourceRoutes } from './routes.ts'
