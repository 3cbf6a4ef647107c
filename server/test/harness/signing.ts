// What clients sign: proofs of possession (RFC 9449), assertions (RFC 7523) and requests (RFC 9101), right or wrong on purpose.
import { createHash, randomUUID } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, type JWTHeaderParameters, SignJWT } from 'jose'

export interface ClientKey {
  alg: string
  kid: string
  privateKey: CryptoKey
  /** As it is published. */
  jwk: JWK
  thumbprint: string
}

export async function makeKey(alg = 'ES256', kid: string = randomUUID()): Promise<ClientKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  const bare = await exportJWK(publicKey)
  return { alg, kid, privateKey, jwk: { ...bare, kid, use: 'sig' }, thumbprint: await calculateJwkThumbprint(bare) }
}

type Claims = Record<string, unknown>
export interface Twist {
  /** Members that differ; undefined leaves one out. */
  claims?: Claims
  header?: Claims
}

const nowInSeconds = () => Math.floor(Date.now() / 1000)

async function sign({ alg, privateKey }: ClientKey, claims: Claims, header: Claims, twist: Twist): Promise<string> {
  const drop = (members: Claims) =>
    Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
  return new SignJWT(drop({ ...claims, ...twist.claims }))
    .setProtectedHeader(drop({ alg, ...header, ...twist.header }) as JWTHeaderParameters)
    .sign(privateKey)
}

export interface ProofOf {
  method?: string
  url: string
  /** The access token that comes with it. */
  token?: string
  nonce?: string
}

/** The header of a request with a proof. */
export async function prove(key: ClientKey, { method = 'POST', url, token, nonce }: ProofOf, twist: Twist = {}) {
  const { kid: _kid, use: _use, ...jwk } = key.jwk
  const claims = {
    ...{ htm: method, htu: url, jti: randomUUID(), iat: nowInSeconds(), nonce },
    ath: token === undefined ? undefined : createHash('sha256').update(token).digest('base64url'),
  }
  return { dpop: await sign(key, claims, { typ: 'dpop+jwt', jwk }, twist) }
}

/** A request to a resource with a bound token. */
export async function present(key: ClientKey, of: ProofOf & { token: string }, twist: Twist = {}) {
  return { headers: { authorization: `DPoP ${of.token}`, ...(await prove(key, { method: 'GET', ...of }, twist)) } }
}

/** The members of a form with which a client proves who it is. */
export async function assertAs(key: ClientKey, clientId: string, audience: string, twist: Twist = {}) {
  const now = nowInSeconds()
  const claims = { iss: clientId, sub: clientId, aud: audience, jti: randomUUID(), iat: now, exp: now + 60 }
  return {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await sign(key, claims, { kid: key.kid }, twist),
  }
}

/** A signed authorization request. */
export function signRequest(key: ClientKey, clientId: string, issuer: string, params: Claims, twist: Twist = {}) {
  const now = nowInSeconds()
  const claims = { iss: clientId, client_id: clientId, aud: issuer, nbf: now, exp: now + 300, ...params }
  return sign(key, claims, { kid: key.kid, typ: 'oauth-authz-req+jwt' }, twist)
}
