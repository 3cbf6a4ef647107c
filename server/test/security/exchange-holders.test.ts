// S12, S28 and S34 for tokens that went from one application to another: each on the way must be allowed to hold what it was given,
// for as long as it is used.
import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { recordConsent, revokeConsent } from '../../src/domain/consents/index.ts'
import { api, createClientIn, issuerOf, must, type TestClient } from '../harness/index.ts'
import { asActor, createStage, type Stage } from '../harness/exchange-stage.ts'

let stage: Stage
let realm: Stage['realm']
beforeAll(async () => {
  stage = await createStage()
  realm = stage.realm
})

const setEnabled = ({ id }: TestClient, enabled: boolean) =>
  must(realm.call('PATCH', `/clients/${id}`, { enabled }), 200)
const openAccount = async (token: string) =>
  (
    await api(`${issuerOf(realm)}/account/gdpr/consents`, 'GET', {
      headers: { authorization: `Bearer ${token}` },
    })
  ).status

/** A token of an application, as one API passes it on to the next. */
async function passOn(members: object = {}) {
  const [near, far] = ['near', 'far'].map((name) => `https://${name}-${crypto.randomUUID()}.example.org`) as [
    string,
    string,
  ]
  const first = await stage.createExchanger({ clientId: near, ...members }, [far])
  const second = await stage.createExchanger({ clientId: far })
  const app = await createClientIn(realm, { audiences: [near] })
  const began = await stage.signIn('openid profile', app)
  const pass = async () => {
    const passed = await stage.swapped({ subject_token: began, audience: far }, first)
    return stage.swapped({ subject_token: passed }, second)
  }
  return { first, second, began, pass }
}

describe('an exchanged token', () => {
  test('S12: ends with every client it went through, the first, the last and those between', async () => {
    const { first, second, pass } = await passOn()
    const token = await pass()
    expect(decodeJwt(token).client_id).toBe(second.clientId)
    for (const client of [first, second]) {
      expect(await stage.isActive(token, second)).toBe(true)
      await setEnabled(client, false)
      expect((await stage.introspect(token, second)).body.active ?? false, client.clientId).toBe(false)
      expect((await stage.swap({ subject_token: token }, second)).status).not.toBe(200)
      await setEnabled(client, true)
    }
    await must(realm.call('DELETE', `/clients/${first.id}`), 204)
    expect(await stage.isActive(token, second)).toBe(false)
  })

  test('S34: ends when the person takes back what they allowed a client on the way', async () => {
    const { first, second, began, pass } = await passOn({ consentRequired: true })
    const consent = { userId: stage.person.userId, clientUuid: first.id, claims: [], scopes: ['openid', 'profile'] }
    const resources = { [second.clientId]: ['openid', 'profile'] }
    await realm.run((ctx) => recordConsent(ctx, { ...consent, resources: {} }))
    const own = await stage.swapped({ subject_token: began }, first)
    // What the person allowed the client at the issuer is not allowed at whoever it calls.
    const elsewhere = await stage.swap({ subject_token: began, audience: second.clientId }, first)
    expect(elsewhere.body.error).toBe('interaction_required')
    await realm.run((ctx) => recordConsent(ctx, { ...consent, resources }))
    const passed = await pass()
    expect([await stage.isActive(own, first), await stage.isActive(passed, second)]).toEqual([true, true])
    expect((await stage.userinfo(own)).status).toBe(200)
    await realm.run((ctx) => revokeConsent(ctx, stage.person.userId, first.id))
    expect([await stage.isActive(own, first), await stage.isActive(passed, second)]).toEqual([false, false])
    expect((await stage.userinfo(own)).status).toBe(401)
    // Nobody took anything back from the application that the person signed in to.
    expect((await stage.userinfo(began)).status).toBe(200)
  })

  test('S28: opens the account only where every client on its way belongs to the house', async () => {
    const theirs = await createClientIn(realm, { audiences: ['gateway'], consentRequired: true })
    const token = await stage.signIn('openid profile', theirs)
    expect(await openAccount(token)).toBe(401)
    expect(await openAccount(await stage.swapped({ subject_token: token }))).toBe(401)
    expect(await openAccount(await stage.swapped())).toBe(200)
    // A machine has no account, whoever its token is for.
    const machine = await stage.machineToken(stage.gateway)
    expect(decodeJwt(machine).aud).toBe(issuerOf(realm))
    expect(await openAccount(machine)).toBe(401)
  })

  test('S12: ends with the token of whoever acts, and so does what comes of it', async () => {
    const actor = await stage.machineToken(stage.gateway)
    const made = await stage.swapped({ subject_token: actor })
    const direct = await stage.swapped(asActor(actor))
    const further = await stage.swapped({ subject_token: await stage.swapped(asActor(made)) })
    const isActive = () => Promise.all([direct, further].map((token) => stage.isActive(token, stage.gateway)))
    expect(await isActive()).toEqual([true, true])
    await stage.revoke(actor, stage.gateway)
    expect(await isActive()).toEqual([false, false])
    expect((await stage.userinfo(stage.token)).status).toBe(200)
  })
})
