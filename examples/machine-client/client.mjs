// A program that acts for itself: gets a token with its own credentials, and asks the issuer what the token is worth.

import * as oauth from 'oauth4webapi'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, SCOPE, RESOURCE } = process.env
if (!ISSUER || !CLIENT_ID || !CLIENT_SECRET) throw new Error('Set ISSUER, CLIENT_ID and CLIENT_SECRET.')

const client = { client_id: CLIENT_ID }
const authentication = oauth.ClientSecretBasic(CLIENT_SECRET)
// Plain http is for trying things out on one machine.
const options = { [oauth.allowInsecureRequests]: ISSUER.startsWith('http://') }

async function main() {
  const url = new URL(ISSUER ?? '')
  const issuer = await oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, options))
  const parameters = { ...(SCOPE ? { scope: SCOPE } : {}), ...(RESOURCE ? { resource: RESOURCE } : {}) }
  const token = await oauth.processClientCredentialsResponse(
    issuer,
    client,
    await oauth.clientCredentialsGrantRequest(issuer, client, authentication, parameters, options),
  )
  console.log(`A ${token.token_type} token for ${token.expires_in} seconds. Its claims:`)
  console.log(decodeClaims(token.access_token))

  const state = await oauth.processIntrospectionResponse(
    issuer,
    client,
    await oauth.introspectionRequest(issuer, client, authentication, token.access_token, options),
  )
  console.log('What introspection says:')
  console.log(state)
}

/** For reading only: who accepts a token has to verify its signature (docs/integrate/tokens.md). @param {string} jwt */
function decodeClaims(jwt) {
  return JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString())
}

try {
  await main()
} catch (error) {
  if (!(error instanceof oauth.ResponseBodyError)) throw error
  console.error(`The issuer refused: ${error.error}, ${error.error_description}`)
  process.exitCode = 1
}
