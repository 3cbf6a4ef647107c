// The whole flow in the browser: a public client with PKCE. Tokens stay in memory and are gone with the page.

import * as oauth from './oauth4webapi.js'

const { issuer: issuerUrl, clientId } = await (await fetch('/config.json')).json()
const redirectUri = `${location.origin}/`
/** What has to survive the way to the issuer and back; read once. */
const pendingKey = 'single-page-app:pending'

/** A public client has no secret; PKCE protects its code. */
const client = { client_id: clientId }
const authentication = oauth.None()
// Plain http is for trying things out on one machine.
const options = { [oauth.allowInsecureRequests]: issuerUrl.startsWith('http://') }

const issuer = await discover()
/** The last answer of the token endpoint; null while nobody is signed in. */
let tokens = null
/** Whom the ID token names; everything the issuer says later has to be about the same person. */
let subject = ''

async function discover() {
  const url = new URL(issuerUrl)
  return oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, options))
}

async function signIn() {
  const pending = {
    codeVerifier: oauth.generateRandomCodeVerifier(),
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
  }
  sessionStorage.setItem(pendingKey, JSON.stringify(pending))
  const target = new URL(issuer.authorization_endpoint)
  target.search = String(
    new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid profile email',
      code_challenge: await oauth.calculatePKCECodeChallenge(pending.codeVerifier),
      code_challenge_method: 'S256',
      state: pending.state,
      nonce: pending.nonce,
    }),
  )
  location.assign(target)
}

async function finishSignIn() {
  const answer = new URL(location.href)
  const pending = JSON.parse(sessionStorage.getItem(pendingKey) ?? 'null')
  sessionStorage.removeItem(pendingKey)
  // The code is used once; out of the address bar it is in nobody's way.
  history.replaceState(null, '', '/')
  if (!pending) return
  const parameters = oauth.validateAuthResponse(issuer, client, answer, pending.state)
  const response = await oauth.authorizationCodeGrantRequest(
    issuer,
    client,
    authentication,
    parameters,
    redirectUri,
    pending.codeVerifier,
    options,
  )
  tokens = await oauth.processAuthorizationCodeResponse(issuer, client, response, {
    expectedNonce: pending.nonce,
    requireIdToken: true,
  })
  subject = oauth.getValidatedIdTokenClaims(tokens).sub
}

async function refresh() {
  const response = await oauth.refreshTokenGrantRequest(issuer, client, authentication, tokens.refresh_token, options)
  // Refresh tokens rotate: the answer holds the next one, and the old one is spent.
  tokens = { ...tokens, ...(await oauth.processRefreshTokenResponse(issuer, client, response)) }
}

async function readUserInfo() {
  const response = await oauth.userInfoRequest(issuer, client, tokens.access_token, options)
  return oauth.processUserInfoResponse(issuer, client, subject, response)
}

function signOut() {
  const target = new URL(issuer.end_session_endpoint)
  target.search = String(new URLSearchParams({ id_token_hint: tokens.id_token, post_logout_redirect_uri: redirectUri }))
  location.assign(target)
}

async function show(status) {
  const claims = tokens ? JSON.stringify(await readUserInfo(), null, 2) : ''
  document.getElementById('claims').textContent = claims
  document.getElementById('sign-in').hidden = tokens !== null
  document.getElementById('sign-out').hidden = tokens === null
  document.getElementById('refresh').hidden = !tokens?.refresh_token
  document.getElementById('status').textContent = status
}

/** Runs a step and shows what came of it; `error` and `error_description` are the issuer's own words. */
async function run(step, status) {
  try {
    await step()
    await show(tokens ? status : 'Nobody is signed in.')
  } catch (error) {
    console.error(error)
    const reason = error.error ? `${error.error}: ${error.error_description ?? ''}` : error.message
    document.getElementById('status').textContent = `That did not work. ${reason}`
    document.getElementById('sign-in').hidden = false
  }
}

document.getElementById('sign-in').addEventListener('click', () => void signIn())
document.getElementById('sign-out').addEventListener('click', signOut)
document.getElementById('refresh').addEventListener('click', () => void run(refresh, 'The tokens were refreshed.'))

const isAnswer = /[?&](?:code|error)=/.test(location.search)
await run(isAnswer ? finishSignIn : async () => undefined, 'You are signed in.')
