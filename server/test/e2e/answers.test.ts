import { beforeAll, describe, expect, test } from 'vitest'
import { api, createRealmFor, type TestRealm } from '../harness/index.ts'

const page = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const program = { accept: 'application/json' }

let realm: TestRealm
let base: string

beforeAll(async () => {
  realm = await createRealmFor()
  base = realm.node.url
})

describe('answers of the pages to people and to programs', () => {
  test('HEAD answers as GET does, without a body', async () => {
    for (const path of [`/realms/${realm.realmId}/login`, '/errors', '/errors/not_found', '/interactive-docs.html']) {
      const [head, get] = await Promise.all([api(base + path, 'HEAD'), api(base + path, 'GET')])
      expect([head.status, head.text], path).toEqual([200, ''])
      expect(head.headers['content-type'], path).toBe(get.headers['content-type'])
      expect(head.headers['content-security-policy'], path).toBe(get.headers['content-security-policy'])
    }
  })

  test('an unknown realm is a page for people and a problem for programs', async () => {
    for (const path of ['/realms/nowhere/login', '/realms/nowhere/account', '/console/nowhere/']) {
      const forPeople = await api(base + path, 'GET', { headers: page })
      expect([forPeople.status, forPeople.headers['content-type']], path).toEqual([404, 'text/html; charset=utf-8'])
      expect(forPeople.text).toMatch(/<code class="gh-code">[0-9a-f]{32}<\/code>/)
      const forPrograms = await api(base + path, 'GET', { headers: program })
      expect(forPrograms.headers['content-type'], path).toBe('application/problem+json; charset=utf-8')
      expect(forPrograms.body).toMatchObject({ status: 404, code: 'realm_not_found', instance: path })
    }
  })

  test('an unknown realm gets the same page as an address that can be no realm', async () => {
    const strip = (text: string) => text.replace(/[0-9a-f]{32}/, '')
    const unknown = await api(`${base}/realms/nowhere/login`, 'GET', { headers: page })
    const impossible = await api(`${base}/realms/No%20Where!/login`, 'GET', { headers: page })
    expect(strip(impossible.text)).toBe(strip(unknown.text))
  })

  test('a landing page without a session leads to the sign-in and back', async () => {
    for (const path of [`/realms/${realm.realmId}/account`, `/console/${realm.realmId}/`]) {
      const answer = await api(base + path, 'GET', { headers: page })
      expect([answer.status, answer.headers['location']]).toEqual([
        303,
        `/realms/${realm.realmId}/login?redirect=${encodeURIComponent(path)}`,
      ])
    }
  })

  test('a method no route serves is answered 405 with those that are', async () => {
    const answer = await api(`${base}/realms/${realm.realmId}/login`, 'PUT', { headers: program })
    expect([answer.status, answer.headers['allow'], answer.body.code]).toEqual([
      405,
      'GET, POST, HEAD',
      'method_not_allowed',
    ])
  })

  test('a stale form is shown again to people with 403, and is a problem for programs', async () => {
    const form = { username: 'admin', password: 'x', _csrf: 'stale' }
    const forPeople = await api(`${base}/realms/${realm.realmId}/login`, 'POST', { form, headers: page })
    expect(forPeople.status).toBe(403)
    expect(forPeople.text).toContain('name="_csrf"')
    const forPrograms = await api(`${base}/realms/${realm.realmId}/login`, 'POST', { form, headers: program })
    expect([forPrograms.status, forPrograms.body.code]).toEqual([403, 'csrf_invalid'])
  })

  test('S38: a form whose origin a browser hides is ours only when the browser says same-origin', async () => {
    const { admin } = realm
    await admin.get(`/realms/${realm.realmId}/login`)
    const send = (headers: Record<string, string>) =>
      admin.send('POST', `/realms/${realm.realmId}/login`, {
        form: { username: 'admin', password: 'wrong-on-purpose', _csrf: admin.csrf() },
        headers: { ...program, ...headers },
      })
    expect((await send({ origin: 'null', 'sec-fetch-site': 'same-origin' })).status).toBe(401)
    expect((await send({ origin: 'null', 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await send({ origin: 'null' })).status).toBe(403)
    expect((await send({ origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' })).status).toBe(403)
  })
})
