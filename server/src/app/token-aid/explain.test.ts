import { expect, test } from 'vitest'
import { errorCodes } from '../../platform/errors/index.ts'
import { oauthErrorCodes } from '../../platform/errors/oauth/index.ts'
import { authorize, createClientIn, createRealmFor } from '../../../test/harness/index.ts'
import { runAid } from './aid.fixture.ts'

test.each([...oauthErrorCodes, ...errorCodes])('explains %s', async (code) => {
  const { code: exit, out } = await runAid(['explain', code])
  expect(exit).toBe(0)
  expect(out).toContain(code)
  expect(out).toContain('What to do')
})

test('explains a redirect, the body of an answer and WWW-Authenticate', async () => {
  const url = 'https://app.example/cb?error=invalid_scope&error_description=requested+scope+is+not+allowed&state=x'
  expect((await runAid(['explain', '--url', url, '--json'])).json()).toMatchObject({
    code: 'invalid_scope',
    description: 'requested scope is not allowed',
  })
  const inputs = [
    '{"error":"invalid_grant","error_description":"grant request is invalid"}',
    'WWW-Authenticate: Bearer error="invalid_grant", error_description="x"',
  ]
  for (const input of inputs) expect((await runAid(['explain'], { input })).out).toMatch(/^invalid_grant \(400\)/)
  const problem = '{"type":"http://127.0.0.1/errors/csrf_invalid","detail":"x"}'
  expect((await runAid(['explain', '-'], { input: problem })).out).toMatch(/^csrf_invalid \(403\)/)
})

test.each([
  ['Authorization Server policy requires PKCE to be used for this request', 'requirePkce'],
  ["redirect_uri did not match any of the client's registered redirect_uris", 'redirectUris'],
  ['Pushed Authorization Request must be used', 'requirePushedAuthorizationRequests'],
  ['this client uses FAPI 2.0: push the request to /par first', 'FAPI2'],
  ['DPoP proof htu mismatch', 'htu'],
])('narrows “%s” down to the setting', async (description, setting) => {
  const { out } = await runAid(['explain', 'invalid_request', description])
  expect(out).toMatch(/Here that means {2}/)
  expect(out).toContain(setting)
  expect(out).not.toContain('Usual causes')
})

test('says of a code that Gatehouse does not have, with 1', async () => {
  expect((await runAid(['explain', 'account_selection_required'])).code).toBe(1)
  const { code, out } = await runAid(['explain', '__proto__'])
  expect(code).toBe(1)
  expect(out).toContain('Not an error of Gatehouse')
})

test('needs an error to explain', async () => {
  expect((await runAid(['explain'])).code).toBe(2)
  expect((await runAid(['explain'], { input: 'nothing' })).code).toBe(2)
  expect((await runAid(['explain', '--url', 'https://app.example/cb?code=1'])).code).toBe(2)
})

test('explains what a realm really answers', async () => {
  const realm = await createRealmFor()
  const client = await createClientIn(realm)
  const { params } = await authorize(realm, client, {
    params: { code_challenge: undefined, code_challenge_method: undefined },
  })
  const { out } = await runAid(['explain', '--url', `https://app.example/cb?${new URLSearchParams(params)}`])
  expect(out).toContain('The client must use PKCE')
})
