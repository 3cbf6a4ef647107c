// Device and CIBA grants by parties that are not ours: openid-client 6, and Authlib for a device that speaks Python.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import * as openid from 'openid-client'
import { beforeAll, describe, expect, test } from 'vitest'
import { answerPage, approvalPath, createClientIn, issuerOf, must, type TestRealm } from '../harness/index.ts'
import { createUnmovedRealm } from './unmoved-node.ts'

let realm: TestRealm

beforeAll(async () => {
  realm = await createUnmovedRealm()
})

const discover = (clientId: string, authenticate: openid.ClientAuth) =>
  openid.discovery(new URL(issuerOf(realm)), clientId, undefined, authenticate, {
    execute: [openid.allowInsecureRequests, openid.enableNonRepudiationChecks],
  })

async function createDevice() {
  const members = { publicClient: true, redirectUris: [], grantTypes: ['device', 'refresh_token'] }
  return createClientIn(realm, members)
}

const answerDevice = (uri: string) => {
  const { pathname, search } = new URL(uri)
  return must(answerPage(realm.admin, pathname + search, 'allow'), 200)
}

// Every party waits the interval of 5 seconds before it asks: side by side they wait once.
describe.concurrent('a party that is not ours', () => {
  test('openid-client signs a device in', async () => {
    const client = await createDevice()
    const config = await discover(client.clientId, openid.None())
    const waiting = await openid.initiateDeviceAuthorization(config, { scope: 'openid profile' })
    await answerDevice(waiting.verification_uri_complete!)
    const tokens = await openid.pollDeviceAuthorizationGrant(config, waiting)
    expect(tokens.claims()).toMatchObject({ sub: realm.adminId, aud: client.clientId })
    const userinfo = await openid.fetchUserInfo(config, tokens.access_token, realm.adminId)
    expect(userinfo.preferred_username).toBe('admin')
    expect((await openid.refreshTokenGrant(config, tokens.refresh_token!)).access_token).toBeTruthy()
  })

  test('openid-client asks a person by CIBA', async () => {
    const client = await createClientIn(realm, { redirectUris: [], grantTypes: ['CIBA', 'refresh_token'] })
    const config = await discover(client.clientId, openid.ClientSecretBasic(client.secret!))
    const waiting = await openid.initiateBackchannelAuthentication(config, {
      ...{ scope: 'openid', login_hint: 'admin', binding_message: 'W4SCT' },
    })
    await must(answerPage(realm.admin, approvalPath(realm, waiting.auth_req_id), 'allow'), 200)
    const tokens = await openid.pollBackchannelAuthenticationGrant(config, waiting)
    expect(tokens.claims()).toMatchObject({ sub: realm.adminId, aud: client.clientId })
  })

  test('Authlib signs a device in, waits as it is told, and refreshes', async () => {
    const client = await createDevice()
    const script = fileURLToPath(new URL('../peers/authlib-device.py', import.meta.url))
    const child = spawn('/usr/bin/python3', [script, issuerOf(realm), client.clientId], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'exit')
    const lines: string[] = []
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(line)
      if (lines.length === 1) await answerDevice(line)
    }
    expect((await ended)[0]).toBe(0)
    expect(JSON.parse(lines[1]!)).toEqual({ sub: realm.adminId, refreshed: true })
  })
})
