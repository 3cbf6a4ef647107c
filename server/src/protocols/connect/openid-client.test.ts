import * as openid from 'openid-client'
import { expect, test } from 'vitest'
import { createBrowser, issuerOf, must, redirectUri } from '../../../test/harness/index.ts'
import { createUnmovedRealm } from '../../../test/relying-parties/unmoved-node.ts'
import { walk } from '../../../test/relying-parties/walk.ts'

test('openid-client registers by itself and then signs somebody in', async () => {
  const home = await createUnmovedRealm()
  const initialAccessToken = (await must(home.call('POST', '/provisioning/initial-access-tokens', {}), 201)).body.token
  // What openid-client does unless told otherwise.
  const posting = { redirect_uris: [redirectUri], token_endpoint_auth_method: 'client_secret_post' }
  const config = await openid.dynamicClientRegistration(new URL(issuerOf(home)), posting, undefined, {
    initialAccessToken,
    execute: [openid.allowInsecureRequests],
  })
  const pkceCodeVerifier = openid.randomPKCECodeVerifier()
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid',
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
  const { callback, pages } = await walk(createBrowser(home.node.url), url)
  expect(pages).toContain('consent')
  const tokens = await openid.authorizationCodeGrant(config, callback!, { pkceCodeVerifier })
  expect(tokens.claims()!.sub).toBe(home.adminId)
})
