// S31 and contract 4.14: a client that registered itself does not learn by what name another client knows a person.
import { decodeJwt } from 'jose'
import { expect, test } from 'vitest'
import {
  answerPage,
  api,
  beginDevice,
  createClientIn,
  createRealmFor,
  must,
  pollDevice,
  redirectUri,
  signInTo,
} from '../harness/index.ts'
import { bearer } from './two-nodes.ts'

test('who names the host of another and gets tokens without it is told another subject', async () => {
  const realm = await createRealmFor()
  const members = { subjectClaim: { strategy: 'PAIRWISE' } }
  const shop = await createClientIn(realm, members)
  const sister = await createClientIn(realm, members)
  const subjectAt = async (client: typeof shop) => decodeJwt((await signInTo(realm, client)).id_token!).sub
  const known = await subjectAt(shop)
  expect(await subjectAt(sister)).toBe(known)
  const { token } = (await must(realm.call('POST', '/provisioning/initial-access-tokens', {}), 201)).body
  const grant_types = ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code']
  const json = {
    redirect_uris: [redirectUri],
    grant_types,
    subject_type: 'pairwise',
    token_endpoint_auth_method: 'none',
  }
  const url = `${realm.node.url}/realms/${realm.realmId}/connect/register`
  const { body } = await must(api(url, 'POST', { json, ...bearer(token) }), 201)
  const thief = { id: '', clientId: body.client_id as string, secret: null, redirectUri }
  const device = (await must(beginDevice(realm, thief), 200)).body
  const path = `/realms/${realm.realmId}/device?user_code=${device.user_code}`
  await must(answerPage(realm.admin, path, 'allow'), 200)
  const tokens = await must(pollDevice(realm, thief, device.device_code), 200)
  expect(decodeJwt(tokens.body.id_token).sub).not.toBe(known)
})
