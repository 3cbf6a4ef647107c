import * as openid from 'openid-client'
import { beforeAll, describe, expect, test } from 'vitest'
import { api, basic, createRealmFor, issuerOf, startTestNode, type TestNode } from '../harness/index.ts'
import { createUnmovedRealm } from '../relying-parties/unmoved-node.ts'
import { readCallback } from '../relying-parties/walk.ts'
import { arrivedBy, ask, codePlans, createParty, finish, type Party, signIn } from './party.ts'

let party: Party

beforeAll(async () => {
  party = await createParty(await createUnmovedRealm())
})

/** The token request once more, exactly as it was sent before. */
async function redeemAgain({ realm, client }: Party, callback: URL | Request) {
  const code = (await readCallback(callback)).get('code')!
  return api(`${issuerOf(realm)}/token`, 'POST', {
    form: { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri },
    headers: basic(client),
  })
}

/** RFC 6749 section 5.2. */
function expectInvalidGrant(answer: Awaited<ReturnType<typeof redeemAgain>>) {
  expect([answer.status, answer.body.error]).toEqual([400, 'invalid_grant'])
  expect(answer.headers['content-type']).toMatch(/^application\/json/)
  expect(answer.body.error_description ?? '').toMatch(/^[ !#-[\]-~]*$/)
}

/** A request object that nobody signed. */
function unsigned(claims: Record<string, unknown>): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'none' })}.${part(claims)}.`
}

describe.each(codePlans)('$plan', ({ mode }) => {
  test('oidcc-codereuse: a code is good once', async () => {
    const { callback } = await signIn(party, { mode })
    expectInvalidGrant(await redeemAgain(party, callback!))
  })

  test('oidcc-refresh-token: gives new tokens about the same sign-in, to the client it was issued to', async () => {
    const { tokens, claims } = await signIn(party, {
      mode,
      params: { scope: 'openid offline_access', prompt: 'consent' },
    })
    expect(tokens.refresh_token).toMatch(/^[\u0020-\u007e]+$/)
    expect(party.config.serverMetadata().grant_types_supported).toContain('refresh_token')
    const refreshed = await openid.refreshTokenGrant(party.config, tokens.refresh_token!)
    expect(refreshed.access_token).not.toBe(tokens.access_token)
    // OpenID Connect Core 12.2.
    const { iss, sub, aud, auth_time } = claims
    expect(refreshed.claims()).toMatchObject({ iss, sub, aud, auth_time })
    expect(refreshed.claims()!.iat).toBeGreaterThanOrEqual(claims.iat)
    await openid.fetchUserInfo(party.config, refreshed.access_token, sub)
    const other = await createParty(party.realm)
    const stolen = openid.refreshTokenGrant(other.config, refreshed.refresh_token!)
    await expect(stolen).rejects.toMatchObject({ error: 'invalid_grant', status: 400 })
  })

  test('oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported: it is rejected', async () => {
    const { client, realm } = party
    const claims = { redirect_uri: client.redirectUri, scope: 'openid', aud: issuerOf(realm), iss: client.clientId }
    const asked = await ask(party, { mode, params: { request: unsigned(claims) } })
    expect(arrivedBy(asked.callback)).toBe(mode)
    // The suite skips the module, because discovery lists no `none`; signed requests are taken (RFC 9101).
    await expect(finish(party, asked)).rejects.toMatchObject({ error: 'invalid_request_object' })
    // What the object says is not looked at, so an address that is not registered stays one.
    const elsewhere = { request: unsigned(claims), redirect_uri: `${client.redirectUri}/elsewhere` }
    expect((await ask(party, { mode, params: elsewhere })).callback).toBeNull()
  })

  test('oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported: it is rejected', async () => {
    const asked = await ask(party, { mode, params: { request_uri: 'https://app.example.org/request.jwt' } })
    expect(arrivedBy(asked.callback)).toBe(mode)
    await expect(finish(party, asked)).rejects.toMatchObject({ error: 'request_uri_not_supported' })
  })
})

describe.each(codePlans)('$plan', ({ mode }) => {
  let later: TestNode

  beforeAll(async () => {
    later = await startTestNode()
    return () => later.stop()
  })

  test('oidcc-codereuse-30seconds: a code stays used, and what it gave is revoked', async () => {
    const own = await createParty(await createRealmFor({ node: later }))
    const { callback, tokens, claims } = await signIn(own, { mode })
    later.clock.advance(30_000)
    await openid.fetchUserInfo(own.config, tokens.access_token, claims.sub)
    expectInvalidGrant(await redeemAgain(own, callback!))
    const refused = openid.fetchUserInfo(own.config, tokens.access_token, claims.sub)
    await expect(refused).rejects.toMatchObject({ status: 401 })
  })
})
