// Keycloak as a broker that signs in through us: discovery, code with PKCE, back-channel logout. Driven in a browser.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { launchBrowser, submitLogin, visit } from '../e2e/browser.ts'
import { createRealmFor, issuerOf, startTestNode, type TestNode, type TestRealm } from '../harness/index.ts'
import { must } from '../harness/realm.ts'
import { findPort } from './ports.ts'

const script = fileURLToPath(new URL('keycloak.sh', import.meta.url))
// Kept between runs: the distribution is large.
const folder =
  process.env['GATEHOUSE_KEYCLOAK'] ?? fileURLToPath(new URL('../../../.gatehouse/keycloak', import.meta.url))
const run = promisify(execFile)
const password = randomBytes(12).toString('hex')
const user = { username: 'grace', email: 'grace@example.org', password: 'nine-purple-lanterns-7' }

let browser: Browser
let node: TestNode
let realm: TestRealm
let keycloak: string
const databaseName = `keycloak_${randomBytes(4).toString('hex')}`

beforeAll(async () => {
  browser = await launchBrowser()
  const database = await createDatabase()
  const [port, managementPort] = [await findPort(), await findPort()]
  keycloak = `http://127.0.0.1:${port}`
  await run('bash', [script, 'start', folder, String(port), String(managementPort), database, password])
  node = await startTestNode({ env: { GATEHOUSE_EGRESS_ALLOW: 'http://127.0.0.1' } })
  realm = await createRealmFor({ node })
  await createPerson()
  const { body } = await must(
    realm.call('POST', '/clients', {
      clientId: 'keycloak',
      redirectUris: [`${keycloak}/realms/broker/broker/gatehouse/endpoint`],
      backchannelLogoutUri: `${keycloak}/realms/broker/protocol/openid-connect/logout/backchannel-logout`,
    }),
    201,
  )
  await prepareBroker(body.secret)
})

afterAll(async () => {
  await browser?.close()
  await run('bash', [script, 'stop', folder]).catch(() => undefined)
  await node?.stop()
  await withServer((client) => client.query(`drop database if exists ${databaseName} with (force)`))
})

async function withServer<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: inject('adminUrl') })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function createDatabase(): Promise<string> {
  await withServer(async (client) => {
    await client.query(`create role ${databaseName} login password '${password}'`)
    await client.query(`create database ${databaseName} owner ${databaseName}`)
  })
  const url = new URL(inject('adminUrl'))
  return `postgres://${databaseName}:${password}@127.0.0.1:${url.port}/${databaseName}`
}

async function createPerson(): Promise<void> {
  const attributes = { firstName: 'Grace', lastName: 'Example' }
  const { body } = await must(
    realm.call('POST', '/users', { username: user.username, email: user.email, emailVerified: true, attributes }),
    201,
  )
  await must(realm.call('PUT', `/users/${body.userId}/password`, { newPassword: user.password }), 204)
}

/** A call to Keycloak's admin API. */
async function configure(method: string, path: string, body?: object) {
  const form = { grant_type: 'password', client_id: 'admin-cli', username: 'admin', password }
  const token = (await (
    await fetch(`${keycloak}/realms/master/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    })
  ).json()) as { access_token: string }
  const answer = await fetch(`${keycloak}/admin/realms${path}`, {
    method,
    headers: { authorization: `Bearer ${token.access_token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return text ? JSON.parse(text) : null
}

async function prepareBroker(clientSecret: string): Promise<void> {
  await configure('POST', '', { realm: 'broker', enabled: true, sslRequired: 'none' })
  // Keycloak reads our discovery document itself.
  const found = await configure('POST', '/broker/identity-provider/import-config', {
    providerId: 'oidc',
    fromUrl: `${issuerOf(realm)}/.well-known/openid-configuration`,
  })
  await configure('POST', '/broker/identity-provider/instances', {
    alias: 'gatehouse',
    providerId: 'oidc',
    enabled: true,
    trustEmail: true,
    config: {
      ...found,
      clientId: 'keycloak',
      clientSecret,
      clientAuthMethod: 'client_secret_post',
      defaultScope: 'openid profile email',
      pkceEnabled: 'true',
      pkceMethod: 'S256',
      useJwksUrl: 'true',
      validateSignature: 'true',
    },
  })
  await configure('POST', '/broker/clients', {
    clientId: 'probe',
    publicClient: true,
    standardFlowEnabled: true,
    redirectUris: [`${keycloak}/robots.txt`],
  })
}

function startAddress(): string {
  const query = new URLSearchParams({
    client_id: 'probe',
    response_type: 'code',
    scope: 'openid',
    redirect_uri: `${keycloak}/robots.txt`,
    kc_idp_hint: 'gatehouse',
  })
  return `${keycloak}/realms/broker/protocol/openid-connect/auth?${query}`
}

async function signInThroughUs(page: Page): Promise<void> {
  await page.goto(startAddress())
  await submitLogin(page, user.username, user.password)
  await page.waitForURL(/robots\.txt\?.*code=/)
}

async function sessionsAtKeycloak(): Promise<number> {
  const [known] = await configure('GET', `/broker/users?username=${user.username}`)
  return known ? (await configure('GET', `/broker/users/${known.id}/sessions`)).length : 0
}

describe('Keycloak 26.7 as a broker', () => {
  test('signs a person in through us and knows who they are', async () => {
    await visit(browser, {}, async ({ page }) => {
      await signInThroughUs(page)
      const [known] = await configure('GET', `/broker/users?username=${user.username}`)
      expect(known).toMatchObject({ email: user.email, firstName: 'Grace', lastName: 'Example', emailVerified: true })
      expect(await sessionsAtKeycloak()).toBe(1)
    })
  })

  test('ends its session when ours ends (back-channel logout)', async () => {
    const { body } = await realm.call('GET', '/sessions?clientId=keycloak')
    for (const session of body) await must(realm.call('DELETE', `/sessions/${session.id}`), 204)
    await expect.poll(sessionsAtKeycloak, { timeout: 30_000, interval: 500 }).toBe(0)
  })
})
