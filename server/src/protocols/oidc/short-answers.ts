import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../domain/context/index.ts'
import { toTokenUser } from '../../domain/tokens/index.ts'
import { audienceOf, mappedClaims } from './access-tokens.ts'
import { claimsOf, mappersFor, subjectOf } from './account.ts'
import type { Issuer } from './issuer.ts'
import { authenticatePlain, isPlain, type PlainRequest, sendJson } from './plain-requests.ts'
import type { Payload } from './unit.ts'

const introspectionParameters = new Set(['token', 'token_type_hint', 'client_id', 'client_secret'])
const isJwt = (token: string) => token.split('.').length === 3

/** What the engine says of an active access token to whom it may be told (RFC 7662); false for everything else. */
export async function answerIntrospection(
  services: Services,
  issuer: Issuer,
  asked: PlainRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const token = asked.form.get('token')
  if (!token || !isJwt(token)) return false
  if (![...asked.form.keys()].every((name) => introspectionParameters.has(name))) return false
  // Two looks at the database at once: neither needs the other.
  const [client, live] = await Promise.all([authenticatePlain(services, issuer, asked), issuer.findLive(token)])
  if (!client || !live || live.claims.cnf) return false
  const { claims } = live
  // S29: the client it was issued to, and whoever it is meant for.
  if (claims.client_id !== client.clientId && !audienceOf(claims).includes(client.clientId)) return false
  const { client_id, exp, iat, sid, iss, jti, aud, scope, sub } = claims
  const known = { active: true, client_id, exp, iat, sid, iss, jti, aud, scope, sub, token_type: 'Bearer' }
  sendJson(reply, { ...mappedClaims(claims), ...known })
  return true
}

/** What the engine says at userinfo to a plain bearer token for the issuer; false for everything else. */
export async function answerUserinfo(
  services: Services,
  issuer: Issuer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  if (request.method !== 'GET' || !isPlain(request) || request.url.includes('?')) return false
  const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(request.headers.authorization ?? '')?.[1]
  const live = token ? await issuer.findLive(token) : null
  // A token that named single claims, or is bound to a key, needs the engine's reading of it.
  if (!live?.claims.gid || live.claims.cnf || live.claims.uic) return false
  const { claims, state } = live
  if (!audienceOf(claims).includes(issuer.issuer)) return false
  const client = await issuer.provider.Client.find(claims.client_id)
  const user = toTokenUser(state)
  const granted = new Set(
    ((state.grant_payload as Payload).openid as { scope?: string } | undefined)?.scope?.split(' '),
  )
  const scopes = (claims.scope ?? '').split(' ').filter((scope) => granted.has(scope))
  const subject = client && user ? subjectOf(issuer, user, client) : null
  if (!client || !user || subject === null || !scopes.includes('openid')) return false
  const mappers = mappersFor(issuer, client, scopes)
  const told = await claimsOf(services, issuer, { user, mappers, target: 'USERINFO', session: null })
  const { impersonator_id: impersonatorId } = state
  sendJson(reply, { ...told, ...(impersonatorId === null ? {} : { act: { sub: impersonatorId } }), sub: subject })
  return true
}
