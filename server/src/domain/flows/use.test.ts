import { beforeEach, describe, expect, test } from 'vitest'
import { createRealmFor, type TestRealm } from '../../../test/harness/index.ts'
import { newId } from '../../platform/ids/index.ts'
import { flowsSection } from './index.ts'

let realm: TestRealm
beforeEach(async () => {
  realm = await createRealmFor()
})

const step = (authenticator: string, requirement = 'REQUIRED') => ({ authenticator, requirement })
const steps = [step('cookie', 'ALTERNATIVE'), step('username-password', 'ALTERNATIVE')]

async function create(alias: string, members: object = {}) {
  const answer = await realm.call('POST', '/flows', { alias, type: 'BROWSER', steps, ...members })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

const patch = (path: string, json: unknown) => realm.call('PATCH', path, json, { type: 'application/merge-patch+json' })

async function boundAliases() {
  const { body } = await realm.call('GET', '/flows')
  const bound = body.filter((flow: { bound: boolean }) => flow.bound)
  return bound.map((flow: { alias: string }) => flow.alias).toSorted()
}

async function runningAlias() {
  const snapshot = await realm.node.services.snapshots.find(realm.realmId)
  return (await snapshot!.section(flowsSection)).BROWSER.alias
}

const outcome = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]

describe('binding', () => {
  test('puts exactly one flow in use for its type, and goes back to the built-in one', async () => {
    await create('staff')
    expect(await runningAlias()).toBe('browser')
    const before = await realm.call('GET', '/flows/browser')
    const bound = await realm.call('PUT', '/flows/staff/bind')
    expect([bound.status, bound.body.bound]).toEqual([200, true])
    expect(await boundAliases()).toEqual([
      ...['direct-grant', 'first-broker-login', 'registration', 'reset-credentials', 'staff', 'step-up'],
    ])
    expect(await runningAlias()).toBe('staff')
    // What is shown of the other flow changed, too.
    const after = await realm.call('GET', '/flows/browser')
    expect([after.body.bound, after.headers.etag === before.headers.etag]).toEqual([false, false])
    expect((await realm.call('PUT', '/flows/browser/bind')).body.bound).toBe(true)
    expect(await runningAlias()).toBe('browser')
  })

  test('by PUT /flow takes an alias alone, of a browser flow', async () => {
    await create('staff')
    await create('more', { type: 'STEP_UP', steps: [step('totp')] })
    const bound = await realm.call('PUT', '/flow', { alias: 'staff' })
    expect([bound.status, bound.body.alias, bound.body.bound]).toEqual([200, 'staff', true])
    expect((await realm.call('GET', '/flow')).body).toEqual(bound.body)
    const wrong = await realm.call('PUT', '/flow', { alias: 'more' })
    expect([wrong.status, wrong.body.errors[0].field]).toEqual([400, 'alias'])
    expect((await realm.call('PUT', '/flow', { alias: 'nothing' })).status).toBe(404)
  })

  test('PUT /flow saves under the alias in use, and under no other', async () => {
    const { body } = await realm.call('GET', '/flow')
    const saved = await realm.call('PUT', '/flow', { ...body, displayName: 'Door' })
    expect([saved.status, saved.body.alias, saved.body.displayName]).toEqual([200, 'browser', 'Door'])
    await create('staff')
    const other = await realm.call('PUT', '/flow', { alias: 'staff', steps })
    expect([other.status, other.body.errors[0].field]).toEqual([400, 'alias'])
    const headers = { 'if-match': String((await realm.call('GET', '/flow')).headers.etag) }
    expect((await realm.call('PUT', '/flow', { steps }, { headers })).status).toBe(200)
    expect((await realm.call('PUT', '/flow', { steps }, { headers })).status).toBe(412)
  })

  test('of an unfinished flow is refused, though the flow may be kept', async () => {
    await create('open', { steps: [step('allow')] })
    expect(outcome(await realm.call('PUT', '/flows/open/bind'))).toEqual([400, 'flow_unsafe'])
    expect(outcome(await realm.call('PUT', '/flow', { alias: 'open' }))).toEqual([400, 'flow_unsafe'])
    expect(await runningAlias()).toBe('browser')
  })

  test('two flows at once leaves one of them in use', async () => {
    for (const alias of ['one', 'two']) await create(alias)
    await Promise.all(['one', 'two', 'one', 'two'].map((alias) => realm.call('PUT', `/flows/${alias}/bind`)))
    expect((await boundAliases()).filter((alias: string) => ['one', 'two', 'browser'].includes(alias))).toHaveLength(1)
  })
})

describe('renaming', () => {
  test('takes the binding along', async () => {
    const flow = await create('staff')
    await realm.call('PUT', '/flows/staff/bind')
    const renamed = await patch('/flows/staff', { alias: 'people' })
    expect([renamed.status, renamed.body]).toEqual([
      200,
      { ...flow, alias: 'people', bound: true, updatedAt: renamed.body.updatedAt },
    ])
    expect((await realm.call('GET', '/flows/staff')).status).toBe(404)
    expect((await realm.call('GET', '/flow')).body.alias).toBe('people')
    expect(await runningAlias()).toBe('people')
  })

  test('to an alias that is taken is a conflict, also where it is a built-in one without a row', async () => {
    for (const alias of ['one', 'two']) await create(alias)
    for (const alias of ['two', 'step-up']) {
      const answer = await patch('/flows/one', { alias })
      expect([...outcome(answer), answer.body.errors[0].field]).toEqual([409, 'conflict', 'alias'])
    }
    for (const alias of ['two', 'browser']) {
      const answer = await realm.call('POST', '/flows', { alias, type: 'BROWSER', steps })
      expect([...outcome(answer), answer.body.errors[0].field]).toEqual([409, 'conflict', 'alias'])
    }
  })

  test('a built-in flow is refused', async () => {
    expect(outcome(await patch('/flows/step-up', { alias: 'other' }))).toEqual([409, 'protected'])
  })
})

describe('deleting', () => {
  test('is refused for built-in flows, edited or not, and for the one in use', async () => {
    expect(outcome(await realm.call('DELETE', '/flows/step-up'))).toEqual([409, 'protected'])
    await realm.call('PUT', '/flows/step-up', { steps: [step('totp')] })
    expect(outcome(await realm.call('DELETE', '/flows/step-up'))).toEqual([409, 'protected'])
    await create('staff')
    await realm.call('PUT', '/flows/staff/bind')
    expect(outcome(await realm.call('DELETE', '/flows/staff'))).toEqual([409, 'protected'])
    await realm.call('PUT', '/flows/browser/bind')
    expect((await realm.call('DELETE', '/flows/staff')).status).toBe(204)
  })
})

describe('the audit trail', () => {
  test('names the flow by its alias, also for PUT /flow', async () => {
    await create('staff')
    await realm.call('PUT', '/flow', { alias: 'staff' })
    await realm.call('PUT', '/flow', { displayName: 'Staff', steps })
    await patch('/flows/staff', { alias: 'people' })
    await realm.call('POST', '/flows/people/reset')
    await realm.call('PUT', '/flows/browser/bind')
    await realm.call('DELETE', '/flows/people')
    const events = (await realm.events('&category=ADMIN')).toReversed()
    const shown = events
      .filter((event) => event.resourceType === 'flows')
      .map(({ type, resourceId }) => [type, resourceId])
    expect(shown).toEqual([
      ['ADMIN_CREATE', 'staff'],
      ['ADMIN_UPDATE', 'staff'],
      ['ADMIN_UPDATE', 'staff'],
      ['ADMIN_UPDATE', 'staff'],
      ['ADMIN_ACTION', 'people'],
      ['ADMIN_UPDATE', 'browser'],
      ['ADMIN_DELETE', 'people'],
    ])
  })

  test('has no event of a refused flow', async () => {
    const before = (await realm.events()).length
    await realm.call('PUT', '/flow', { steps: [] })
    expect((await realm.events()).length).toBe(before)
  })
})

describe('limits and permissions', () => {
  test('a realm has at most a hundred flows of its own; built-in ones can still be edited', async () => {
    await realm.call('PUT', '/flows/step-up', { steps: [step('totp')] })
    const rows = Array.from({ length: 99 }, (_, at) => ({
      ...{ id: newId(), alias: `flow-${at}`, type: 'BROWSER', steps: JSON.stringify([]) },
      ...{ realm_id: realm.realmId, created_at: 0, updated_at: 0 },
    }))
    await realm.run((ctx) => ctx.tx.insertInto('flows').values(rows).execute())
    await create('the-last')
    const answer = await realm.call('POST', '/flows', { alias: 'one-more', type: 'BROWSER', steps })
    expect(outcome(answer)).toEqual([409, 'limit_reached'])
    expect((await realm.call('PUT', '/flows/direct-grant', { steps: [step('username-password')] })).status).toBe(200)
    expect((await realm.call('GET', '/flows?size=1000')).body).toHaveLength(106)
  })

  test('view-clients reads, manage-authorization writes', async () => {
    const reader = await realm.signInWith(['view-clients'])
    for (const path of ['/flows', '/flows/browser', '/flow', '/authenticators']) {
      expect((await realm.callAs(reader.browser, 'GET', path)).status).toBe(200)
    }
    expect((await realm.callAs(reader.browser, 'PUT', '/flow', { steps })).status).toBe(403)
    const writer = await realm.signInWith(['manage-authorization'])
    expect((await realm.callAs(writer.browser, 'GET', '/flow')).status).toBe(200)
    expect((await realm.callAs(writer.browser, 'PUT', '/flow', { steps })).status).toBe(200)
    const nobody = await realm.signInWith(['view-users'])
    expect((await realm.callAs(nobody.browser, 'GET', '/flows')).status).toBe(403)
  })
})
