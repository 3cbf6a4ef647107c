// S4: tokens, cookies, codes and CSRF values of one realm are refused in every other one.
import { decodeProtectedHeader } from 'jose'
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  api,
  authorize,
  basic,
  createBrowser,
  createClientIn,
  createRealmFor,
  issuerOf,
  readForm,
  redeem,
  refresh,
  requestToken,
  signInTo,
  type TestClient,
  type TestRealm,
} from '../harness/index.ts'
import { askAdminApi, askUserinfo, introspect } from './two-nodes.ts'

// In both realms, under the same name and with the same secret: the worst case.
let here: TestRealm
let there: TestRealm
let client: TestClient
let twin: TestClient

beforeAll(async () => {
  here = await createRealmFor()
  there = await createRealmFor()
  client = await createClientIn(here, { clientId: 'same-app', consentRequired: true })
  twin = await createClientIn(there, { clientId: 'same-app', consentRequired: true })
})

async function runSql(text: string, values: unknown[]): Promise<void> {
  const db = new pg.Client({ connectionString: here.node.adminDatabaseUrl })
  await db.connect()
  await db.query(text, values)
  await db.end()
}

describe('S4: in another realm', () => {
  test('an access token opens neither userinfo nor introspection nor the account', async () => {
    const tokens = await signInTo(here, client, { params: { scope: 'openid profile' } })
    expect((await askUserinfo(here, tokens.access_token!)).status).toBe(200)
    expect((await askUserinfo(there, tokens.access_token!)).status).toBe(401)
    for (const token of [tokens.access_token!, tokens.refresh_token!]) {
      expect((await introspect(here, client, token)).body.active).toBe(true)
      expect((await introspect(there, twin, token)).body).toEqual({ active: false })
    }
  })

  test('a token cannot be revoked', async () => {
    const tokens = await signInTo(here, client)
    for (const token of [tokens.access_token!, tokens.refresh_token!]) {
      await api(`${issuerOf(there)}/revoke`, 'POST', { form: { token }, headers: basic(twin) })
    }
    expect((await askUserinfo(here, tokens.access_token!)).status).toBe(200)
    expect((await refresh(here, client, tokens.refresh_token!)).status).toBe(200)
  })

  test('a code and a refresh token give nothing, and stay good at home', async () => {
    const authorization = await authorize(here, client)
    expect((await redeem(there, twin, authorization)).body.error).toBe('invalid_grant')
    const tokens = (await redeem(here, client, authorization)).body
    expect((await refresh(there, twin, tokens.refresh_token)).body.error).toBe('invalid_grant')
    expect((await refresh(here, client, tokens.refresh_token)).status).toBe(200)
  })

  test('the client’s secret is not known', async () => {
    const stranger = { ...twin, secret: client.secret }
    expect((await requestToken(there, stranger, { grant_type: 'client_credentials' })).body.error).toBe(
      'invalid_client',
    )
    expect((await introspect(there, stranger, 'x')).status).toBe(401)
  })

  test('a session signs nobody in, also under that realm’s cookie name', async () => {
    const browser = createBrowser(here.node.url)
    await signInTo(here, client, { browser })
    const silent = await authorize(there, twin, { browser, params: { prompt: 'none' } })
    expect(silent.params.error).toBe('login_required')
    browser.cookies.set(`gatehouse_session_${there.realmId}`, browser.cookies.get(`gatehouse_session_${here.realmId}`)!)
    const forged = await authorize(there, twin, { browser, params: { prompt: 'none' } })
    expect(forged.params.error).toBe('login_required')
  })

  test('a pushed request is not found', async () => {
    const form = {
      client_id: client.clientId,
      response_type: 'code',
      redirect_uri: client.redirectUri,
      scope: 'openid',
      code_challenge: 'A'.repeat(43),
      code_challenge_method: 'S256',
    }
    const pushed = await api(`${issuerOf(here)}/par`, 'POST', { form, headers: basic(client) })
    expect(pushed.status, pushed.text).toBe(201)
    const used = await authorize(there, twin, { params: { request_uri: pushed.body.request_uri } })
    expect(used.params.code).toBeUndefined()
    expect(JSON.stringify(used.params) + used.answer.text).toContain('invalid_request_uri')
  })

  test('a request that waits for consent cannot be seen or answered, and its CSRF value is refused', async () => {
    const own = createBrowser(here.node.url)
    const asking = await createClientIn(here, { consentRequired: true })
    const waiting = await authorize(here, asking, { browser: own, stopAtPage: true })
    const form = { ...readForm(waiting.answer.text), username: 'admin', password: 'correct-horse-battery-42' }
    const html = { accept: 'text/html' }
    let answer = await own.send('POST', `/realms/${here.realmId}/login`, { headers: html, form })
    answer = await own.get(new URL(answer.headers.location as string, here.node.url).pathname, { headers: html })
    const path = new URL(answer.headers.location as string, here.node.url).pathname
    expect(path).toContain('/consent/')
    const uid = path.split('/').at(-1)!
    await there.admin.get(`/realms/${there.realmId}/login`)
    const foreign = createBrowser(there.node.url)
    for (const [name, value] of there.admin.cookies) foreign.cookies.set(name, value)
    foreign.cookies.set(`gatehouse_interaction_${there.realmId}`, uid)
    const consent = `/realms/${there.realmId}/consent/${uid}`
    expect((await foreign.get(consent, { headers: html })).status).toBe(404)
    const ownCsrf = readForm((await own.get(path, { headers: html })).text)._csrf!
    const sent = await foreign.send('POST', consent, { headers: html, form: { _csrf: ownCsrf, decision: 'allow' } })
    expect(sent.status).toBe(403)
  })

  test('an ID token is no hint', async () => {
    const tokens = await signInTo(here, client)
    const query = new URLSearchParams({ id_token_hint: tokens.id_token!, client_id: twin.clientId })
    const browser = createBrowser(there.node.url)
    await signInTo(there, twin, { browser })
    const answer = await browser.get(`/realms/${there.realmId}/logout?${query}`, { headers: { accept: 'text/html' } })
    expect(answer.status).toBe(400)
    expect((await authorize(there, twin, { browser, params: { prompt: 'none' } })).params.code).toBeTruthy()
  })

  test('a token is refused even when its key, its client and its subject are planted there under the same ids', async () => {
    const admin = `${here.node.url}/admin`
    const machines: TestClient[] = []
    for (const realm of [here, there]) {
      const machine = await createClientIn(realm, {
        clientId: 'same-machine',
        grantTypes: ['client_credentials'],
        redirectUris: [],
      })
      await realm.call('PUT', `/clients/${machine.id}/allowed-resources`, { allowedResources: [admin] })
      await realm.call('POST', `/clients/${machine.id}/service-account/roles`, { name: 'auditor' })
      machines.push(machine)
    }
    const ask = async (resource?: string) =>
      (
        await requestToken(here, machines[0]!, {
          grant_type: 'client_credentials',
          ...(resource ? { resource } : {}),
        })
      ).body.access_token as string
    const [plain, forAdmin] = [await ask(), await ask(admin)]
    const { kid } = decodeProtectedHeader(plain)
    const subject = JSON.parse(Buffer.from(plain.split('.')[1]!, 'base64url').toString()).sub as string
    await plant('realm_keys', { id: kid! }, { rotated_at: Date.now() })
    await plant('users', { id: subject }, { username: 'planted', email: null })
    await runSql('update clients set service_account_user_id = $3 where realm_id = $1 and id = $2', [
      there.realmId,
      machines[1]!.id,
      subject,
    ])
    await runSql('update realms set config_version = config_version + 1 where realm_id = $1', [there.realmId])
    const keys = (await api(`${issuerOf(there)}/.well-known/jwks.json`, 'GET')).body.keys as { kid: string }[]
    expect(keys.map((key) => key.kid)).toContain(kid)
    expect((await introspect(here, machines[0]!, plain)).body.active).toBe(true)
    expect((await introspect(there, machines[1]!, plain)).body).toEqual({ active: false })
    expect((await askAdminApi(here, forAdmin)).status).toBe(200)
    expect((await askAdminApi(there, forAdmin)).status).toBe(401)
    const tokens = await signInTo(here, client)
    expect((await askUserinfo(there, tokens.access_token!)).status).toBe(401)
  })
})

/** Copies a row of this realm into the other one, as no way through the service can. */
async function plant(table: string, { id }: { id: string }, changes: object): Promise<void> {
  await runSql(
    `insert into ${table} select (jsonb_populate_record(t, $4::jsonb || jsonb_build_object('realm_id', $3::text))).*
       from ${table} t where t.realm_id = $1 and t.id = $2::uuid`,
    [here.realmId, id, there.realmId, JSON.stringify(changes)],
  )
}
