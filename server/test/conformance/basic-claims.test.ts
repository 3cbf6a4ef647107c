import * as openid from 'openid-client'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Browser } from '../harness/index.ts'
import { createUnmovedRealm } from '../relying-parties/unmoved-node.ts'
import { codePlans, createParty, type Party, type ResponseMode, signIn } from './party.ts'

let party: Party
let userId: string

// Every claim of OpenID Connect Core 5.1 has a value, so that what is missing in an answer was left out by us.
const attributes = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  middle_name: 'Augusta',
  nickname: 'Countess',
  profile: 'https://people.example.org/ada',
  picture: 'https://people.example.org/ada.png',
  website: 'https://ada.example.org',
  gender: 'female',
  birthdate: '1815-12-10',
  zoneinfo: 'Europe/London',
  street_address: 'St James Square 12',
  locality: 'London',
  postal_code: 'SW1Y 4LE',
  country: 'United Kingdom',
}
const about = {
  profile: {
    name: 'Ada Lovelace',
    given_name: 'Ada',
    family_name: 'Lovelace',
    middle_name: 'Augusta',
    nickname: 'Countess',
    preferred_username: 'ada',
    profile: attributes.profile,
    picture: attributes.picture,
    website: attributes.website,
    gender: 'female',
    birthdate: '1815-12-10',
    zoneinfo: 'Europe/London',
    locale: 'en-GB',
    updated_at: expect.any(Number),
  },
  email: { email: 'ada@example.org', email_verified: true },
  address: {
    address: {
      street_address: attributes.street_address,
      locality: 'London',
      postal_code: 'SW1Y 4LE',
      country: 'United Kingdom',
    },
  },
  phone: { phone_number: '+44 20 7946 0000', phone_number_verified: false },
}

beforeAll(async () => {
  const realm = await createUnmovedRealm()
  party = await createParty(realm)
  ;({ userId } = await realm.signInWith([], 'ada'))
  const { body } = await realm.call('GET', `/users/${userId}`)
  await realm.call('PUT', `/users/${userId}`, {
    ...body,
    email: 'ada@example.org',
    emailVerified: true,
    phone: '+44 20 7946 0000',
    locale: 'en-GB',
    attributes,
  })
})

/** What userinfo says after a sign-in with these scopes; the relying party has checked that it is about the same person. */
async function tell(mode: ResponseMode, params: Record<string, string>, browser?: Browser) {
  const { tokens, claims } = await signIn(party, { mode, params, username: 'ada', ...(browser ? { browser } : {}) })
  return { claims, userinfo: await openid.fetchUserInfo(party.config, tokens.access_token, claims.sub) }
}

describe.each(codePlans)('$plan', ({ mode }) => {
  test('oidcc-scope-profile: userinfo has the claims of the scope and no others', async () => {
    const { userinfo } = await tell(mode, { scope: 'openid profile' })
    expect(userinfo).toEqual({ sub: userId, ...about.profile })
    // Seconds: in milliseconds this would be a year far away (Core 5.1).
    expect(userinfo.updated_at).toBeLessThan(Date.now() / 100)
  })

  test('oidcc-scope-email: userinfo has the claims of the scope and no others', async () => {
    const { userinfo } = await tell(mode, { scope: 'openid email' })
    expect(userinfo).toEqual({ sub: userId, ...about.email })
  })

  test('oidcc-scope-address: userinfo has the claims of the scope and no others', async () => {
    const { userinfo } = await tell(mode, { scope: 'openid address' })
    expect(userinfo).toEqual({ sub: userId, ...about.address })
  })

  test('oidcc-scope-phone: userinfo has the claims of the scope and no others', async () => {
    const { userinfo } = await tell(mode, { scope: 'openid phone' })
    expect(userinfo).toEqual({ sub: userId, ...about.phone })
  })

  test('oidcc-scope-all: userinfo has the claims of all four scopes', async () => {
    const { userinfo } = await tell(mode, { scope: 'openid profile email address phone' })
    expect(userinfo).toEqual({ sub: userId, ...about.profile, ...about.email, ...about.address, ...about.phone })
  })

  test('oidcc-ensure-other-scope-order-succeeds: openid may come last', async () => {
    const { userinfo } = await tell(mode, { scope: 'email openid' })
    expect(userinfo).toEqual({ sub: userId, ...about.email })
  })

  test('oidcc-alternate-happy-flow: neither the order of scopes nor that of parameters matters', async () => {
    const { redirectUri, clientId } = party.client
    const { userinfo } = await tell(mode, {
      ...(mode ? { response_mode: mode } : {}),
      response_type: 'code',
      redirect_uri: redirectUri,
      client_id: clientId,
      scope: 'email openid',
    })
    expect(userinfo).toEqual({ sub: userId, ...about.email })
  })

  test('oidcc-claims-essential: a claim asked for by name is in userinfo and not in the ID token', async () => {
    const request = { userinfo: { name: { essential: true } } }
    const { claims, userinfo } = await tell(mode, { claims: JSON.stringify(request) })
    expect(userinfo).toEqual({ sub: userId, name: 'Ada Lovelace' })
    expect(claims).not.toHaveProperty('name')
  })

  test('beyond the modules, a claim with members may be asked for by name, and stays with a refresh', async () => {
    const request = { userinfo: { address: null }, id_token: { email: null } }
    const params = { claims: JSON.stringify(request) }
    const { claims, tokens } = await signIn(party, { mode, params, username: 'ada' })
    expect(claims.email).toBe('ada@example.org')
    const refreshed = await openid.refreshTokenGrant(party.config, tokens.refresh_token!)
    const userinfo = await openid.fetchUserInfo(party.config, refreshed.access_token, claims.sub)
    expect(userinfo).toEqual({ sub: userId, ...about.address })
  })

  test('oidcc-claims-locales: the preferred languages of claims are no reason to fail', async () => {
    const { userinfo } = await tell(mode, { scope: 'openid profile', claims_locales: 'se' })
    expect(userinfo).toMatchObject({ name: 'Ada Lovelace' })
  })
})
