// The HTTP server: limits on everything that comes in, trace ids, caller's address, cookies, errors as problem+json.
// RFC 9110, RFC 9457; contract 2.9, 7.1, 7.4; S46, S50.
// Made once by app/; surfaces register their routes on it.
export { challengeBearer } from './challenge.ts'
export { createClientIp } from './client-ip.ts'
export { parseCookies, serializeCookie } from './cookies.ts'
export { parseJsonBody } from './json.ts'
export { assertJson, readJsonBody } from './json-body.ts'
export { createNetworks, networkOf } from './networks.ts'
export { type Problem, toDomainError, toProblem } from './problem.ts'
export { createHttpServer, originOf, refuseOtherMethods, sendProblem } from './server.ts'
export { validate } from './validate.ts'
