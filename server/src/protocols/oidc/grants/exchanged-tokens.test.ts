import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  api,
  basic,
  createClientIn,
  issuerOf,
  must,
  requestToken,
  type TestClient,
} from '../../../../test/harness/index.ts'
import {
  accessType,
  asActor,
  createProver,
  createStage,
  exchangeType,
  grantTypes,
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
const introspect: Stage['introspect'] = (...args) => stage.introspect(...args)
const isActive: Stage['isActive'] = (...args) => stage.isActive(...args)
const userinfo: Stage['userinfo'] = (...args) => stage.userinfo(...args)
const revoke: Stage['revoke'] = (...args) => stage.revoke(...args)

describe('a token that is bound to a key', () => {
  test('S28: is exchanged only by whoever proves to have that key, and so is what comes of it', async () => {
    const [holder, thief] = [await createProver(realm), await createProver(realm)]
    const { body } = await must(holder.ask(gateway, { grant_type: 'client_credentials' }), 200)
    expect(decodeJwt(body.access_token).cnf).toEqual({ jkt: holder.jkt })
    const form = { grant_type: exchangeType, subject_token: body.access_token, subject_token_type: accessType }
    expect((await requestToken(realm, gateway, form)).body.error).toBe('invalid_grant')
    expect((await thief.ask(gateway, form)).body.error).toBe('invalid_grant')
    const bound = await must(holder.ask(gateway, form), 200)
    expect(bound.body.token_type).toBe('DPoP')
    expect(decodeJwt(bound.body.access_token).cnf).toEqual({ jkt: holder.jkt })
    const acting = { subject_token: stage.token, ...asActor(body.access_token) }
    expect((await swap(acting)).body.error).toBe('invalid_grant')
    expect((await thief.ask(gateway, { ...form, ...acting })).body.error).toBe('invalid_grant')
    expect((await holder.ask(gateway, { ...form, ...acting })).status).toBe(200)
  })
})

describe('an exchanged token', () => {
  test('counts at userinfo when it is for the issuer and has openid, at introspection and revocation of its client', async () => {
    const meant = await swapped()
    expect((await userinfo(meant)).body).toMatchObject({ sub: person.userId, preferred_username: 'person' })
    // The engine’s own way, which the short one leaves such requests to.
    const form = { access_token: meant }
    expect((await api(`${issuerOf(realm)}/userinfo`, 'POST', { form })).body).toMatchObject({ sub: person.userId })
    expect((await userinfo(await swapped({ audience: orders }))).status).toBe(401)
    expect((await userinfo(await swapped({ scope: 'profile' }))).status).toBe(403)
    expect((await introspect(meant, gateway)).body).toMatchObject({ active: true, client_id: 'gateway' })
    expect((await introspect(meant, gateway)).body).not.toHaveProperty('xch')
    expect(await isActive(meant, app)).toBe(false)
    const asEngine = { form: { token: meant, token_type_hint: 'access_token', more: 'x' }, headers: basic(gateway) }
    expect((await api(`${issuerOf(realm)}/introspect`, 'POST', asEngine)).body.active).toBe(true)
    await revoke(meant, gateway)
    expect(await isActive(meant, gateway)).toBe(false)
    expect((await userinfo(stage.token)).status).toBe(200)
  })

  test('S12: ends with the token it came from, however far away', async () => {
    const subject = await signIn('openid')
    const first = await swapped({ subject_token: subject })
    const second = await swapped({ subject_token: first })
    expect([await isActive(first, gateway), await isActive(second, gateway)]).toEqual([true, true])
    await revoke(subject, app)
    expect((await swap({ subject_token: subject })).body.error).toBe('invalid_grant')
    expect([await isActive(first, gateway), await isActive(second, gateway)]).toEqual([false, false])
    expect((await userinfo(second)).status).toBe(401)
  })

  test('S12: ends with the session, and with either client', async () => {
    const left = await swapped()
    const setEnabled = (client: TestClient, enabled: boolean) =>
      must(realm.call('PATCH', `/clients/${client.id}`, { enabled }), 200)
    const consents = () =>
      api(`${issuerOf(realm)}/account/gdpr/consents`, 'GET', { headers: { authorization: `Bearer ${left}` } })
    expect((await consents()).status).toBe(200)
    await setEnabled(gateway, false)
    expect([(await userinfo(left)).status, (await consents()).status]).toEqual([401, 401])
    await setEnabled(gateway, true)
    expect(await isActive(left, gateway)).toBe(true)
    await realm.run(({ tx, realmId }) =>
      tx.deleteFrom('sessions').where('realm_id', '=', realmId).where('user_id', '=', person.userId).execute(),
    )
    expect(await isActive(left, gateway)).toBe(false)
    stage.token = await signIn('openid profile address')
    const again = await swapped()
    await setEnabled(app, false)
    expect(await isActive(again, gateway)).toBe(false)
    await setEnabled(app, true)
    stage.token = await signIn('openid profile address')
  })

  test('of a machine stays that machine’s, at whatever client', async () => {
    const worker = await createClientIn(realm, {
      clientId: 'worker',
      grantTypes,
      redirectUris: [],
      audiences: ['gateway'],
    })
    const { serviceAccountUserId: sub } = (await realm.call('GET', `/clients/${worker.id}`)).body
    const subject_token = await machineToken(worker, { scope: 'roles' })
    const next = await swapped({ subject_token, audience: orders })
    expect(decodeJwt(next)).toMatchObject({ sub, client_id: 'gateway', aud: orders, scope: 'roles', roles: ['user'] })
    expect(decodeJwt(next)).not.toHaveProperty('gid')
    expect((await introspect(next, gateway)).body).toMatchObject({ active: true, sub })
    const setEnabled = (enabled: boolean) => must(realm.call('PATCH', `/clients/${worker.id}`, { enabled }), 200)
    await setEnabled(false)
    expect(await isActive(next, gateway)).toBe(false)
    await setEnabled(true)
    expect(await isActive(next, gateway)).toBe(true)
    await must(realm.call('PATCH', `/users/${sub}`, { enabled: false }), 200)
    expect(await isActive(next, gateway)).toBe(false)
    expect((await swap({ subject_token })).body.error).toBe('invalid_grant')
  })

  test('is exchanged a bounded number of times', async () => {
    let subject_token = stage.token
    let count = 0
    while (count < 50) {
      const answer = await swap({ subject_token })
      if (answer.status !== 200) break
      subject_token = answer.body.access_token
      count += 1
    }
    expect(count).toBeGreaterThan(5)
    expect(count).toBeLessThan(30)
  })
})
