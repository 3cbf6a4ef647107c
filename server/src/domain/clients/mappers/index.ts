// Protocol mappers of one client: further claims in its tokens, beside those of the client scopes.
// Contract 2.98, 2.99, 4.8; reserved claims cannot be written.
// Called under /clients/{clientId}/mappers; the protocols read the mappers with the client.
export { mapperRoutes } from './routes.ts'
export { Mapper } from './schema.ts'
