import { beforeAll, describe, expect, it } from 'vitest'
import {
  addPerson,
  type Browser,
  createBrowser,
  createRealmFor,
  isSignedIn,
  must,
  openPage,
  type Page,
  submit,
  type TestRealm,
} from '../../../test/harness/index.ts'
import { adminPassword } from '../../../test/harness/realm.ts'

// Everything here is done with forms alone, as a browser without script does it.
let realm: TestRealm
beforeAll(async () => {
  realm = await createRealmFor()
  await must(realm.call('PUT', '/settings', { termsUrl: 'https://example.org/terms' }), 200)
})

async function reach(name: string, action: string, more: Record<string, unknown> = {}) {
  const { userId } = await addPerson(realm, name, { requiredActions: [action], ...more })
  const browser = createBrowser(realm.node.url)
  return { userId, browser, page: await pass(browser, name) }
}

async function pass(browser: Browser, username: string): Promise<Page> {
  const login = await openPage(browser, `/realms/${realm.realmId}/login`)
  return submit(browser, login, { username, password: adminPassword })
}

const read = async (userId: string) => (await must(realm.call('GET', `/users/${userId}`), 200)).body

describe('UPDATE_PROFILE', () => {
  const attributes = { firstName: 'Ada', lastName: 'Byron', team: 'engines' }

  it('shows what is known, takes what is changed, and asks once', async () => {
    const { userId, browser, page } = await reach('ada', 'UPDATE_PROFILE', { attributes })
    expect([page.answer.status, page.name]).toEqual([200, 'update-profile'])
    expect(page.forms[0]!.values).toMatchObject({ email: 'ada@example.org', firstName: 'Ada', lastName: 'Byron' })
    const done = await submit(browser, page, { lastName: 'Lovelace', phone: '+44 20 1234567' })
    expect([done.answer.status, isSignedIn(browser, realm)]).toEqual([303, true])
    expect(await read(userId)).toMatchObject({
      attributes: { firstName: 'Ada', lastName: 'Lovelace', team: 'engines' },
      phone: '+44 20 1234567',
      phoneVerified: false,
      emailVerified: true,
      requiredActions: [],
      username: 'ada',
      roles: ['user'],
    })
    const other = createBrowser(realm.node.url)
    expect((await pass(other, 'ada')).answer.status).toBe(303)
  })

  it('names every fault beside its field, keeps what was typed, and changes nothing', async () => {
    const { userId, browser, page } = await reach('faults', 'UPDATE_PROFILE', { attributes })
    const typed = { email: 'no address', firstName: '', lastName: 'Byron', phone: 'call me' }
    const wrong = await submit(browser, page, typed)
    expect([wrong.answer.status, Object.keys(wrong.errors).sort()]).toEqual([400, ['email', 'firstName', 'phone']])
    expect([wrong.focus, wrong.forms[0]!.values.phone]).toEqual(['email', 'call me'])
    const taken = await submit(browser, wrong, { ...typed, email: 'admin', firstName: 'A', phone: '' })
    expect(Object.keys(taken.errors)).toEqual(['email'])
    await addPerson(realm, 'owner')
    const clash = await submit(browser, taken, { ...typed, email: 'OWNER@example.org', firstName: 'A', phone: '' })
    expect([clash.answer.status, Object.keys(clash.errors)]).toEqual([400, ['email']])
    expect(await read(userId)).toMatchObject({ email: 'faults@example.org', requiredActions: ['UPDATE_PROFILE'] })
    expect(isSignedIn(browser, realm)).toBe(false)
  })

  it('S41 a changed address is not proved any more', async () => {
    const { userId, browser, page } = await reach('moves', 'UPDATE_PROFILE', { attributes })
    await submit(browser, page, { email: 'moved@example.org' })
    expect(await read(userId)).toMatchObject({ email: 'moved@example.org', emailVerified: false })
  })

  it('S10 a form with more members changes nothing else', async () => {
    const { userId, browser, page } = await reach('greedy', 'UPDATE_PROFILE', { attributes })
    const [form] = page.forms
    const more = { username: 'admin', emailVerified: 'true', phoneVerified: 'true', roles: 'admin', enabled: 'false' }
    const sent = { ...form!.values, ...more, phone: '+44 20 7654321', userId: realm.adminId }
    await browser.send('POST', form!.action, { form: sent, headers: { accept: 'text/html' } })
    expect(await read(userId)).toMatchObject({
      username: 'greedy',
      roles: ['user'],
      enabled: true,
      phone: '+44 20 7654321',
      phoneVerified: false,
    })
  })
})

describe('TERMS_AND_CONDITIONS', () => {
  it('goes on only with the box ticked, and says so beside it', async () => {
    const { userId, browser, page } = await reach('terms', 'TERMS_AND_CONDITIONS')
    expect([page.name, page.errors]).toEqual(['terms', {}])
    expect(page.answer.text).toContain('href="https://example.org/terms"')
    const unticked = await submit(browser, page)
    expect([unticked.answer.status, Object.keys(unticked.errors), unticked.focus]).toEqual([400, ['accept'], 'accept'])
    expect(isSignedIn(browser, realm)).toBe(false)
    const done = await submit(browser, unticked, { accept: 'true' })
    expect([done.answer.status, isSignedIn(browser, realm)]).toEqual([303, true])
    expect((await read(userId)).requiredActions).toEqual([])
    const [event] = await realm.events(`&actor=${userId}&type=CONSENT_GRANTED`)
    expect(event).toMatchObject({ outcome: 'SUCCESS' })
  })
})

describe('CONFIGURE_RECOVERY_CODES', () => {
  const codesOn = ({ answer }: Page) =>
    [...answer.text.matchAll(/<code dir="ltr">([^<]+)<\/code>/g)].map((code) => code[1]!)

  it('shows the codes until the person keeps them, and says so beside the box; only then they count', async () => {
    const { userId, browser, page } = await reach('codes', 'CONFIGURE_RECOVERY_CODES')
    expect([page.name, page.errors]).toEqual(['recovery-codes', {}])
    const codes = codesOn(page)
    expect(new Set(codes).size).toBeGreaterThanOrEqual(8)
    const unticked = await submit(browser, page)
    expect([unticked.answer.status, Object.keys(unticked.errors), unticked.focus]).toEqual([400, ['saved'], 'saved'])
    expect(codesOn(unticked)).toEqual(codes)
    const credentials = async () =>
      (await must(realm.call('GET', `/users/${userId}/credentials`), 200)).body.map(
        ({ type }: { type: string }) => type,
      )
    expect(await credentials()).not.toContain('recovery-codes')
    expect((await submit(browser, unticked, { saved: 'true' })).answer.status).toBe(303)
    expect(isSignedIn(browser, realm)).toBe(true)
    expect(await credentials()).toContain('recovery-codes')
    const log = [...realm.node.lines, ...realm.node.auditLines.map((line) => JSON.stringify(line))].join('\n')
    expect(codes.filter((code) => log.includes(code))).toEqual([])
  })

  it('S51 codes that are not kept yet are nowhere in the database as they are', async () => {
    const { page } = await reach('sealed', 'CONFIGURE_RECOVERY_CODES')
    const rows = await realm.run((ctx) =>
      ctx.tx.selectFrom('sign_ins').select('state').where('realm_id', '=', ctx.realmId).execute(),
    )
    const states = JSON.stringify(rows)
    expect(codesOn(page).filter((code) => states.includes(code))).toEqual([])
  })
})
