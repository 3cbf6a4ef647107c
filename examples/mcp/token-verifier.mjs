import { OAuthError, OAuthErrorCode } from '@modelcontextprotocol/server'
import { createRemoteJWKSet, errors, jwtVerify } from 'jose'

/**
 * Checks the access tokens of one issuer for one resource (RFC 9068 section 4): made by the issuer, for this resource and no other,
 * still good, and an access token at all. The token itself goes no further than this.
 * @param {string} issuer @param {string} resource
 * @returns {import('@modelcontextprotocol/server').OAuthTokenVerifier}
 */
export function createTokenVerifier(issuer, resource) {
  /** @type {Promise<ReturnType<typeof createRemoteJWKSet>> | undefined} */
  let keys
  const findKeys = () => {
    // What went wrong is tried again with the next token: the issuer may come up after this server.
    keys ??= discoverKeys(issuer).catch((error) => {
      keys = undefined
      throw error
    })
    return keys
  }
  return {
    async verifyAccessToken(token) {
      const claims = await readClaims(token, await findKeys(), issuer, resource)
      return {
        token: '',
        clientId: String(claims.client_id),
        scopes: typeof claims.scope === 'string' ? claims.scope.split(' ') : [],
        expiresAt: Number(claims.exp),
        resource: new URL(resource),
        extra: { subject: claims.sub },
      }
    },
  }
}

/**
 * @param {string} token @param {ReturnType<typeof createRemoteJWKSet>} keys @param {string} issuer @param {string} audience
 * @returns {Promise<import('jose').JWTPayload>}
 */
async function readClaims(token, keys, issuer, audience) {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience,
      typ: 'at+jwt',
      algorithms: ['RS256', 'PS256', 'ES256'],
      requiredClaims: ['exp', 'sub', 'client_id'],
    })
    // Bound to a key that nobody showed here: whoever sends it as a bearer token may have found it somewhere (RFC 9449, 7.1).
    if (payload.cnf) throw new errors.JWTInvalid('the token is bound to a key')
    return payload
  } catch (error) {
    // An issuer that cannot be reached says nothing about the token.
    if (!(error instanceof errors.JOSEError) || error instanceof errors.JWKSTimeout) throw error
    throw new OAuthError(OAuthErrorCode.InvalidToken, 'The access token is not one for this server, or has ended.')
  }
}

/** @param {string} issuer */
async function discoverKeys(issuer) {
  const answer = await fetch(`${issuer}/.well-known/openid-configuration`)
  if (!answer.ok) throw new Error(`The discovery document of ${issuer} answers ${answer.status}.`)
  const document = await answer.json()
  // Whoever answers for somebody else gets nothing believed (OpenID Connect Discovery, 4.3).
  if (document.issuer !== issuer) throw new Error(`${issuer} calls itself ${document.issuer}.`)
  return createRemoteJWKSet(new URL(document.jwks_uri))
}
