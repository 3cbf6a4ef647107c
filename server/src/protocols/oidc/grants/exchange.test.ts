import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  createClientIn,
  createRealmFor,
  issuerOf,
  must,
  redirectUri,
  signInTo,
} from '../../../../test/harness/index.ts'
import {
  accessType,
  asActor,
  createStage,
  jwtType,
  orders,
  type Stage,
} from '../../../../test/harness/exchange-stage.ts'

let stage: Stage
let realm: Stage['realm']
let person: Stage['person']
let app: Stage['app']
let gateway: Stage['gateway']
beforeAll(async () => {
  stage = await createStage()
  ;({ realm, person, app, gateway } = stage)
})

const swap: Stage['swap'] = (...args) => stage.swap(...args)
const swapped: Stage['swapped'] = (...args) => stage.swapped(...args)
const signIn: Stage['signIn'] = (...args) => stage.signIn(...args)
const machineToken: Stage['machineToken'] = (...args) => stage.machineToken(...args)
const createExchanger: Stage['createExchanger'] = (...args) => stage.createExchanger(...args)
const introspect: Stage['introspect'] = (...args) => stage.introspect(...args)
const revoke: Stage['revoke'] = (...args) => stage.revoke(...args)

describe('a token exchange', () => {
  test('gives a token for the client’s own audience with what both may have, and nothing else', async () => {
    const { body } = await must(swap({ audience: orders, requested_token_type: jwtType }), 200)
    expect(body).toEqual({
      ...{ access_token: expect.any(String), issued_token_type: jwtType, token_type: 'Bearer' },
      ...{ expires_in: expect.any(Number), scope: 'openid profile' },
    })
    const before = decodeJwt(stage.token)
    const { sid, gid, auth_time, acr, amr } = before
    const after = decodeJwt(body.access_token)
    expect(after).toMatchObject({ sub: person.userId, aud: orders, client_id: 'gateway', scope: 'openid profile' })
    expect(after).toMatchObject({ sid, gid, auth_time, acr, amr })
    expect(after.exp).toBeLessThanOrEqual(before.exp!)
    expect(after).not.toHaveProperty('act')
  })

  test('is for the issuer and the client where the subject’s token was, unless told otherwise', async () => {
    expect(decodeJwt(await swapped()).aud).toEqual([issuerOf(realm), 'gateway'])
    expect(decodeJwt(await swapped({ audience: 'gateway' })).aud).toBe('gateway')
    expect(decodeJwt(await swapped({ resource: issuerOf(realm) })).aud).toBe(issuerOf(realm))
    const narrow = await swapped({ audience: 'gateway' })
    expect((await swap({ subject_token: narrow, resource: issuerOf(realm) })).body.error).toBe('invalid_target')
  })

  test('refuses every other audience', async () => {
    const own = await createExchanger({}, [orders])
    for (const audience of ['app', own.clientId, 'https://other.example.org', `${realm.node.url}/admin`])
      expect((await swap({ audience })).body.error, audience).toBe('invalid_target')
    for (const resource of ['gateway', `${orders}#part`, '/orders'])
      expect((await swap({ resource })).body.error, resource).toBe('invalid_target')
  })

  test('S28: gives no scope that the subject or the client lacks, and never offline access', async () => {
    const wide = await signIn('openid profile address offline_access')
    expect((await swap({ subject_token: wide })).body.scope).toBe('openid profile')
    expect((await swap({ scope: 'profile phone' })).body.scope).toBe('profile')
    for (const scope of ['phone', 'address', 'offline_access', 'no-such-scope'])
      expect((await swap({ subject_token: wide, scope })).body.error, scope).toBe('invalid_scope')
  })

  test.each([
    ['no subject', { subject_token: '' }],
    ['no type of it', { subject_token_type: '' }],
    ['an ID token as its type', { subject_token_type: 'urn:ietf:params:oauth:token-type:id_token' }],
    ['a refresh token as what is wanted', { requested_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' }],
    ['an ID token as what is wanted', { requested_token_type: 'urn:ietf:params:oauth:token-type:id_token' }],
    ['an actor without a type', { actor_token: 'x' }],
    ['a type without an actor', { actor_token_type: accessType }],
  ])('refuses %s', async (_what, form) => {
    expect((await swap(form as Record<string, string>)).body.error).toBe('invalid_request')
  })

  test('S28: refuses a token that is forged, of another kind or of another realm', async () => {
    const other = await createRealmFor()
    const tokens = await signInTo(realm, app, { username: 'person' })
    const foreign = (await signInTo(other, await createClientIn(other, { audiences: ['gateway'] }))).access_token!
    for (const subject of [
      'x.y.z',
      `${stage.token.slice(0, -8)}AAAAAAAA`,
      tokens.id_token!,
      tokens.refresh_token!,
      foreign,
    ])
      expect((await swap({ subject_token: subject })).body).toMatchObject({ error: 'invalid_grant' })
  })

  test('S28: refuses tokens that were neither issued to the client nor meant for it', async () => {
    const stranger = await createExchanger({}, [issuerOf(realm)])
    const { body } = await swap({}, stranger)
    expect(body.error).toBe('invalid_grant')
    // What is said does not tell a token of others from no token at all.
    expect((await swap({ subject_token: 'x.y.z' }, stranger)).body).toEqual(body)
    const mine = await machineToken(stranger)
    expect((await swap({ subject_token: mine }, stranger)).status).toBe(200)
  })

  test('S27: is for clients that list it and prove who they are', async () => {
    const plain = await createClientIn(realm, { clientId: 'plain', redirectUris: [redirectUri] })
    expect((await swap({}, plain)).body.error).toMatch(/^(unauthorized_client|invalid_request)$/)
    const open = await createClientIn(realm, { publicClient: true, grantTypes: ['token-exchange'], redirectUris: [] })
    expect((await swap({}, open)).body.error).toBe('unauthorized_client')
  })

  test('gives a client that needs consent what the person allowed it', async () => {
    const { recordConsent } = await import('../../../domain/consents/index.ts')
    const asking = await createExchanger({ clientId: 'asking', consentRequired: true, scopes: ['profile', 'email'] })
    const own = await createClientIn(realm, { audiences: ['asking'], scopes: ['profile', 'email'] })
    const subject_token = await signIn('openid profile email', own)
    expect((await swap({ subject_token }, asking)).body.error).toBe('interaction_required')
    const consent = { userId: person.userId, clientUuid: asking.id, claims: [], resources: {} }
    await realm.run((ctx) => recordConsent(ctx, { ...consent, scopes: ['openid', 'profile'] }))
    expect((await swap({ subject_token }, asking)).body.scope).toBe('openid profile')
    expect((await swap({ subject_token, scope: 'email' }, asking)).body.error).toBe('interaction_required')
  })

  test('is told in the audit trail', async () => {
    await swapped({ audience: orders })
    const [event] = await realm.events('&type=TOKEN_EXCHANGE&clientId=gateway')
    expect(event).toMatchObject({ actor: person.userId, clientId: 'gateway', outcome: 'SUCCESS' })
    expect(event.detail).toBe(`a token of app for ${orders}`)
    await swap({ audience: 'app' })
    await realm.node.services.eventBatch.flush()
    const [failure] = await realm.events('&type=TOKEN_EXCHANGE_FAILURE&clientId=gateway')
    expect(failure).toMatchObject({ actor: person.userId, outcome: 'FAILURE', clientId: 'gateway' })
    expect(failure.detail).toMatch(/^invalid_target/)
  })
})

describe('an actor', () => {
  test('stands in `act`, in front of those before', async () => {
    const first = await swapped({ ...asActor(await machineToken(gateway)), audience: 'gateway' })
    const { serviceAccountUserId: sub } = (await realm.call('GET', `/clients/${gateway.id}`)).body
    expect(decodeJwt(first)).toMatchObject({ sub: person.userId, act: { sub, client_id: 'gateway' } })
    const again = await swapped({ subject_token: first, ...asActor(await machineToken(gateway)) })
    expect(decodeJwt(again).act).toEqual({ sub, client_id: 'gateway', act: { sub, client_id: 'gateway' } })
    expect(decodeJwt(await swapped({ subject_token: first })).act).toEqual(decodeJwt(first).act)
    expect((await introspect(first, gateway)).body.act).toEqual({ sub, client_id: 'gateway' })
    const [event] = await realm.events('&type=TOKEN_EXCHANGE&clientId=gateway')
    expect(event.detail).toContain(`${sub} acts`)
  })

  test('is the last of five at most', async () => {
    const actor = asActor(await machineToken(gateway))
    let subject_token = stage.token
    for (let at = 0; at < 5; at++) subject_token = await swapped({ subject_token, ...actor })
    expect((await swap({ subject_token, ...actor })).body.error).toBe('invalid_request')
    expect((await swap({ subject_token })).status).toBe(200)
  })

  test('must be alive and the client’s own, and speak for itself', async () => {
    const actor = await machineToken(gateway)
    const stranger = await machineToken(await createExchanger())
    const acting = await swapped(asActor(await machineToken(gateway)))
    await revoke(actor, gateway)
    for (const wrong of ['x.y.z', stranger, actor, acting])
      expect((await swap(asActor(wrong))).body.error).toBe('invalid_grant')
  })

  test('bounds the life of what it is given', async () => {
    const quick = await createClientIn(realm, {
      ...{ grantTypes: ['client_credentials'], redirectUris: [] },
      ...{ audiences: ['gateway'], accessTokenLifetimeSeconds: 30 },
    })
    const actor = await machineToken(quick)
    const acting = await swapped(asActor(actor))
    expect(decodeJwt(acting).exp).toBeLessThanOrEqual(decodeJwt(actor).exp!)
    expect(decodeJwt(await swapped()).exp).toBeGreaterThan(decodeJwt(actor).exp!)
  })

  test('must be who the subject’s token says may act, whether a token names it or not', async () => {
    const named = await createClientIn(realm, { audiences: ['gateway', 'rival'] })
    const rival = await createExchanger({ clientId: 'rival' })
    const { serviceAccountUserId: sub } = (await realm.call('GET', `/clients/${gateway.id}`)).body
    const mapper = (value: unknown) => {
      const type = typeof value === 'string' ? 'STRING' : 'JSON'
      return { name: 'may act', type: 'CONSTANT', config: { claim: 'may_act', value, type } }
    }
    const value = { client_id: 'gateway', sub, iss: issuerOf(realm) }
    const { body } = await must(realm.call('POST', `/clients/${named.id}/mappers`, mapper(value)), 201)
    const subject_token = await signIn('openid', named)
    expect(decodeJwt(subject_token).may_act).toEqual(value)
    expect((await swap({ subject_token }, rival)).body.error).toBe('access_denied')
    expect((await swap({ subject_token, ...asActor(await machineToken(rival)) }, rival)).body.error).toBe(
      'access_denied',
    )
    const passed = await swapped({ subject_token, ...asActor(await machineToken(gateway)) })
    expect(decodeJwt(passed).may_act).toEqual(value)
    expect((await swap({ subject_token })).status).toBe(200)
    // Whoever gets the token next says nothing about who may act on it.
    const own = { client_id: 'somebody-else' }
    const added = await must(realm.call('POST', `/clients/${gateway.id}/mappers`, mapper(own)), 201)
    expect(decodeJwt(await swapped({ subject_token })).may_act).toEqual(value)
    expect(decodeJwt(await swapped())).not.toHaveProperty('may_act')
    await must(realm.call('DELETE', `/clients/${gateway.id}/mappers/${added.body.mapperId}`), 204)
    for (const other of [
      { email: 'gateway@example.org' },
      { ...value, email: 'x' },
      { iss: issuerOf(realm) },
      'gateway',
    ]) {
      await must(realm.call('PUT', `/clients/${named.id}/mappers/${body.mapperId}`, mapper(other)), 200)
      const subject = await signIn('openid', named)
      expect((await swap({ subject_token: subject })).body.error, JSON.stringify(other)).toBe('access_denied')
    }
  })
})
