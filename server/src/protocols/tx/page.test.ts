// The page on which a person reads and signs a transaction, as a browser without script sees it, and what it never lets through.
import { beforeAll, describe, expect, test } from 'vitest'
import {
  addPerson,
  addTotp,
  type Browser,
  createBrowser,
  createRealmFor,
  must,
  openPage,
  type Page,
  passPassword,
  type RequestOptions,
  submit,
  type TestClient,
  type TestRealm,
} from '../../../test/harness/index.ts'
import { addKey } from '../../../test/harness/authenticator.ts'
import { adminPassword } from '../../../test/harness/realm.ts'
import {
  callTx,
  consumeTx,
  createShop,
  machineToken,
  personToken,
  signTx,
  startTx,
} from '../../../test/harness/transactions.ts'

let realm: TestRealm
let shop: TestClient
let machine: string
let ada: Signer

interface Signer {
  userId: string
  browser: Browser
}

beforeAll(async () => {
  realm = await createRealmFor()
  shop = await createShop(realm, { name: 'Northwind Shop' })
  machine = await machineToken(realm, shop)
  ada = await addSigner('ada')
})

const html = { headers: { accept: 'text/html' } }
const pathOf = (id: string) => `/realms/${realm.realmId}/tx/${id}/sign`
const statusOf = async (id: string) => (await callTx(realm, machine, 'GET', `/${id}`)).body.status as string

async function addSigner(username: string): Promise<Signer> {
  const { userId } = await addPerson(realm, username)
  const { browser } = await passPassword(realm, username)
  return { userId, browser }
}

async function open(signer: Signer, members: object = {}): Promise<{ id: string; page: Page }> {
  const { id } = await startTx(realm, machine, { userId: signer.userId, ...members })
  return { id, page: await openPage(signer.browser, pathOf(id)) }
}

test('shows all that is hashed, who asks and until when, and is signed with the password', async () => {
  const details = {
    amount: 12.5,
    urgent: false,
    note: null,
    creditor: { name: 'Northwind', accounts: ['NL00 1', 'NL00 2'] },
    nothing: {},
    none: [],
  }
  const { id, page } = await open(ada, { details })
  expect(page).toMatchObject({ name: 'transaction', title: 'Northwind Shop asks you to sign' })
  const shown = page.answer.text
  for (const text of ['Pay 12.50 EUR to Northwind', 'payment', 'amount', '12.5', 'urgent', 'false', 'null', 'NL00 2']) {
    expect(shown).toContain(text)
  }
  expect(shown).toContain(shop.clientId)
  expect(shown).toContain('{}')
  expect(shown).toContain('[]')
  const { hash } = (await callTx(realm, machine, 'GET', `/${id}`)).body
  expect(shown).toContain(`title="${hash}"`)
  expect(page.forms.map(({ fields }) => fields)).toEqual([['username', 'password'], []])
  const wrong = await submit(ada.browser, page, { password: 'not-it' })
  expect([wrong.answer.status, wrong.errors]).toEqual([401, { password: expect.stringContaining('not right') }])
  const empty = await submit(ada.browser, wrong, { password: '' })
  expect([empty.answer.status, empty.errors]).toEqual([400, { password: 'Enter your password.' }])
  const done = await submit(ada.browser, empty, { password: adminPassword })
  expect([done.answer.status, done.name, done.title]).toEqual([200, 'transaction-ended', 'You signed'])
  expect((await callTx(realm, machine, 'GET', `/${id}`)).body).toMatchObject({ status: 'SIGNED', method: 'PASSWORD' })
  expect((await openPage(ada.browser, pathOf(id))).title).toBe('You signed')
  await must(consumeTx(realm, machine, id), 200)
  expect((await openPage(ada.browser, pathOf(id))).title).toBe('This is done')
})

test('is rejected with one press, and a form that is sent again changes nothing', async () => {
  const { id, page } = await open(ada)
  const done = await submit(ada.browser, page, { decision: 'REJECT' })
  expect([done.answer.status, done.title]).toEqual([200, 'You rejected it'])
  const again = await submit(ada.browser, page, { password: adminPassword })
  expect([again.answer.status, again.title]).toEqual([409, 'You rejected it'])
  expect(await statusOf(id)).toBe('REJECTED')
})

test('offers the passkey first, and the code and the password beside it for browsers without script', async () => {
  const grace = await addSigner('grace')
  const codeAt = await addTotp(realm, grace.userId)
  const key = await addKey(realm, grace.userId)
  const { id, page } = await open(grace)
  expect(page.forms.map(({ values }) => values.method ?? 'none')).toEqual(['WEBAUTHN', 'TOTP', 'PASSWORD', 'none'])
  expect(page.answer.text).toContain('<script src="/assets/passkey-')
  expect(page.answer.headers['content-security-policy']).toContain("script-src 'self'")
  const [passkey] = page.forms
  const options = JSON.parse(/data-options="([^"]*)"/.exec(page.answer.text)![1]!.replaceAll('&quot;', '"'))
  expect(options.userVerification).toBe('required')
  const send = (assertion: object) =>
    grace.browser.send('POST', pathOf(id), {
      ...html,
      form: { ...passkey!.values, assertion: JSON.stringify(assertion) },
    })
  expect((await send(key.answer({ ...options, challenge: 'b3RoZXI' }))).status).toBe(401)
  expect((await send(key.answer(options))).text).toContain('You signed')
  const another = await open(grace)
  const signed = await submit(grace.browser, another.page, { code: codeAt(30_000) })
  expect(signed.title).toBe('You signed')
})

test('asks for a stronger sign-in where no way here would do', async () => {
  const { id, page } = await open(ada, { requiredAcr: 'urn:gatehouse:acr:2' })
  expect(page.answer.text).toMatch(/href="\/realms\/[^"]+\/login\?arrival=/)
  expect(page.forms.map(({ fields }) => fields)).toEqual([[]])
  const form = { _csrf: ada.browser.csrf(), decision: 'APPROVE', method: 'PASSWORD', password: adminPassword }
  expect((await ada.browser.send('POST', pathOf(id), { ...html, form })).status).toBe(403)
  expect(await statusOf(id)).toBe('PENDING')
})

test('never shows anything of the caller’s as markup, nor hides or turns any of it around', async () => {
  const long = 'x'.repeat(4096)
  const { page } = await open(ada, {
    title: 'Pay <script>alert(1)</script>',
    details: {
      '<img src=x onerror=alert(1)>': '"><svg onload=alert(1)>',
      bidi: 'invoice\u202efdp.exe',
      lines: 'one\ntwo\u0007',
      hidden: 'a\u200bb',
      list: ['</dl></div><form action="https://evil.example">', long],
    },
  })
  const { text } = page.answer
  expect(text).not.toMatch(/<script>|<img src=x|<svg onload|action="https:/)
  expect(text).toContain('&lt;script>')
  expect(text).toContain('invoice⟨U+202E⟩fdp.exe')
  expect(text).toContain('one↵\ntwo⟨U+0007⟩')
  expect(text).toContain('a⟨U+200B⟩b')
  expect(text).toContain(long)
  expect(page.forms).toHaveLength(2)
})

describe('is not there', () => {
  test('for somebody who is not signed in: they are sent to sign in and back, and learn nothing', async () => {
    const { id } = await startTx(realm, machine, { userId: ada.userId })
    const nobody = createBrowser(realm.node.url)
    for (const at of [id, '00000000-0000-4000-8000-000000000000', 'x%22']) {
      const answer = await nobody.get(pathOf(at), html)
      const back = `/realms/${realm.realmId}/login?redirect=${encodeURIComponent(pathOf(at))}`
      expect([answer.status, answer.headers.location]).toEqual([303, back])
    }
    const form = { decision: 'REJECT', _csrf: 'x' }
    expect((await nobody.send('POST', pathOf(id), { ...html, form })).status).toBe(303)
    expect(await statusOf(id)).toBe('PENDING')
  })

  test('for another person, in every way', async () => {
    const { id } = await startTx(realm, machine, { userId: ada.userId })
    const bob = await addSigner('bob')
    expect((await bob.browser.get(pathOf(id), html)).status).toBe(404)
    await bob.browser.get(pathOf(id), html)
    const answers: Record<string, string>[] = [
      { decision: 'REJECT' },
      { decision: 'APPROVE', method: 'PASSWORD', password: adminPassword },
    ]
    for (const answer of answers) {
      const form = { ...answer, _csrf: bob.browser.csrf() }
      expect((await bob.browser.send('POST', pathOf(id), { ...html, form })).status).toBe(404)
    }
    expect(await statusOf(id)).toBe('PENDING')
  })

  test('for a form of another site, and a session does not answer as JSON', async () => {
    const { id } = await open(ada)
    const form = { decision: 'REJECT', _csrf: ada.browser.csrf() }
    const attempts: RequestOptions[] = [
      { form: { decision: 'REJECT' } },
      { form: { ...form, _csrf: 'wrong' } },
      { form, headers: { accept: 'text/html', origin: 'https://evil.example' } },
      { form, headers: { accept: 'text/html', 'sec-fetch-site': 'cross-site' } },
    ]
    for (const options of attempts) {
      expect((await ada.browser.send('POST', pathOf(id), { ...html, ...options })).status).toBe(403)
    }
    expect((await ada.browser.send('POST', pathOf(id), { json: { decision: 'REJECT' } })).status).toBe(401)
    expect(await statusOf(id)).toBe('PENDING')
  })

  test('for an administrator who acts as the person, on the page and with a token that came of it', async () => {
    const { id } = await startTx(realm, machine, { userId: ada.userId })
    await must(realm.call('POST', `/users/${ada.userId}/impersonate`, { reason: 'Ticket 4711' }), 200)
    const acting = realm.admin
    expect((await acting.get(pathOf(id), html)).status).toBe(403)
    const form = { decision: 'REJECT', _csrf: acting.csrf() }
    expect((await acting.send('POST', pathOf(id), { ...html, form })).status).toBe(403)
    const token = await personToken(realm, shop, 'ada', { browser: acting })
    expect((await callTx(realm, token, 'GET', `/${id}`)).body.userId).toBe(ada.userId)
    for (const answer of [
      { decision: 'REJECT' },
      { decision: 'APPROVE', method: 'PASSWORD', password: adminPassword },
    ]) {
      const refused = await signTx(realm, token, id, answer)
      expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
    }
    expect(await statusOf(id)).toBe('PENDING')
  })
})
