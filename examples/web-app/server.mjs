// A server-rendered web application that signs people in: authorization code with PKCE, sign-out, back-channel logout.

import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import * as oidc from 'openid-client'
import { renderError, renderHome } from './pages.mjs'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, PORT = '3000' } = process.env
if (!ISSUER || !CLIENT_ID || !CLIENT_SECRET) throw new Error('Set ISSUER, CLIENT_ID and CLIENT_SECRET.')

const home = `http://127.0.0.1:${PORT}`
const redirectUri = `${home}/callback`
const sessionCookie = 'web_app_session'
const signInCookie = 'web_app_sign_in'

// Everything about the issuer comes from its discovery document. Plain http is for trying things out on one machine.
const config = await oidc.discovery(new URL(ISSUER), CLIENT_ID, CLIENT_SECRET, oidc.ClientSecretBasic(CLIENT_SECRET), {
  execute: ISSUER.startsWith('http://') ? [oidc.allowInsecureRequests] : [],
})
const issuer = config.serverMetadata()
const issuerKeys = createRemoteJWKSet(new URL(issuer.jwks_uri ?? ''))

/** Signed-in people by cookie. In memory: a restart signs everybody out. @type {Map<string, Session>} */
const sessions = new Map()
/** Sign-ins under way by cookie. @type {Map<string, { codeVerifier: string, state: string, nonce: string }>} */
const signIns = new Map()
/** @typedef {{ claims: oidc.IDToken, idToken: string }} Session */
/** @typedef {{ request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse, url: URL }} Exchange */

/** @param {Exchange} exchange */
function showHome({ request, response }) {
  const session = sessions.get(readCookie(request, sessionCookie))
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
  response.end(renderHome(session?.claims ?? null))
}

/** @param {Exchange} exchange */
async function startSignIn({ response }) {
  const id = randomUUID()
  const signIn = {
    codeVerifier: oidc.randomPKCECodeVerifier(),
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
  }
  signIns.set(id, signIn)
  const target = oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid profile email',
    code_challenge: await oidc.calculatePKCECodeChallenge(signIn.codeVerifier),
    code_challenge_method: 'S256',
    state: signIn.state,
    nonce: signIn.nonce,
  })
  redirect(response, target.href, [writeCookie(signInCookie, id)])
}

/** @param {Exchange} exchange */
async function finishSignIn({ request, response, url }) {
  const id = readCookie(request, signInCookie)
  const signIn = signIns.get(id)
  // Each sign-in ends once, whatever comes of it.
  signIns.delete(id)
  if (!signIn) return redirect(response, '/login', [])
  const tokens = await oidc.authorizationCodeGrant(config, url, {
    pkceCodeVerifier: signIn.codeVerifier,
    expectedState: signIn.state,
    expectedNonce: signIn.nonce,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (!claims || !tokens.id_token) throw new Error('The issuer sent no ID token.')
  const session = randomUUID()
  sessions.set(session, { claims, idToken: tokens.id_token })
  redirect(response, '/', [writeCookie(sessionCookie, session), writeCookie(signInCookie, '')])
}

/** Ends our own session, then the one at the issuer. @param {Exchange} exchange */
function signOut({ request, response }) {
  const id = readCookie(request, sessionCookie)
  const session = sessions.get(id)
  sessions.delete(id)
  const target = oidc.buildEndSessionUrl(config, {
    post_logout_redirect_uri: `${home}/`,
    ...(session ? { id_token_hint: session.idToken } : {}),
  })
  redirect(response, target.href, [writeCookie(sessionCookie, '')])
}

/** The issuer calls this when somebody signed out elsewhere (OpenID Connect Back-Channel Logout 1.0). @param {Exchange} exchange */
async function endSessions({ request, response }) {
  const body = new URLSearchParams((await request.toArray()).join(''))
  const { payload } = await jwtVerify(body.get('logout_token') ?? '', issuerKeys, {
    issuer: issuer.issuer,
    audience: CLIENT_ID,
    typ: 'logout+jwt',
    requiredClaims: ['iat', 'jti', 'events'],
  })
  const events = /** @type {Record<string, unknown>} */ (payload.events)
  if (!('http://schemas.openid.net/event/backchannel-logout' in events) || 'nonce' in payload) {
    throw new Error('This is not a logout token.')
  }
  // With `sid` one session is meant, without it all of that person.
  for (const [id, { claims }] of sessions) {
    if (payload.sid ? claims.sid === payload.sid : claims.sub === payload.sub) sessions.delete(id)
  }
  response.writeHead(200, { 'cache-control': 'no-store' }).end()
}

/** @type {Record<string, (exchange: Exchange) => unknown>} */
const routes = {
  'GET /': showHome,
  'GET /login': startSignIn,
  'GET /callback': finishSignIn,
  'POST /logout': signOut,
  'POST /backchannel-logout': endSessions,
}

/** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
async function answer(request, response) {
  const url = new URL(request.url ?? '/', home)
  try {
    const route = routes[`${request.method} ${url.pathname}`]
    if (route) await route({ request, response, url })
    else response.writeHead(404).end('Not found')
  } catch (error) {
    console.error(error)
    response.writeHead(400, { 'content-type': 'text/html; charset=utf-8' }).end(renderError(error))
  }
}

const server = createServer((request, response) => void answer(request, response))
server.listen(Number(PORT), '127.0.0.1', () => console.log(`Open ${home}`))

/** @param {import('node:http').ServerResponse} response @param {string} location @param {string[]} cookies */
function redirect(response, location, cookies) {
  response.writeHead(303, { location, 'set-cookie': cookies }).end()
}

/** @param {import('node:http').IncomingMessage} request @param {string} name */
function readCookie(request, name) {
  return new RegExp(`(?:^|; )${name}=([\\w-]+)`).exec(request.headers.cookie ?? '')?.[1] ?? ''
}

/** Lax, so that the cookie of the sign-in comes along when the issuer sends people back. Add Secure where there is https. @param {string} name @param {string} value */
function writeCookie(name, value) {
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax${value === '' ? '; Max-Age=0' : ''}`
}
