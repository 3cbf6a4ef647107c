// S42: whether somebody has an account is told by no surface, neither by its bytes nor by its time.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addPerson,
  type Browser,
  createBrowser,
  type MailNode,
  must,
  openPage,
  type Page,
  shapeOf,
  startMailNode,
  submit,
  type TestRealm,
} from '../harness/index.ts'

// Requests come from as many places as there are of them, so that no limit of an address is what is measured; and what a job
// does later is not part of an answer.
const env = { GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1', GATEHOUSE_WORKER: 'false' }
const pairs = 100
const rounds = 6

let mails: MailNode
let realm: TestRealm
const known = 'known@example.org'
const unknown = 'nemos@example.org'

interface Step {
  authenticator: string | null
  requirement: string
  steps: Step[]
}
const turnOn = (step: Step): Step => ({
  ...step,
  requirement: step.authenticator === 'magic-link' ? 'ALTERNATIVE' : step.requirement,
  steps: step.steps.map(turnOn),
})

beforeAll(async () => {
  mails = await startMailNode(env)
  const bruteForce = { maxFailures: 100, perIpMaxPerMinute: 10_000 }
  realm = await mails.openRealm({ registrationAllowed: true, bruteForce })
  const { body: flow } = await must(realm.call('GET', '/flow'), 200)
  await must(realm.call('PUT', '/flow', { ...flow, steps: flow.steps.map(turnOn) }), 200)
  await addPerson(realm, 'known', { email: known })
})
afterAll(() => mails.stop())

const password = 'a-password-of-four-words'

interface Surface {
  path: string
  fill(name: string): Record<string, string>
}
const surfaces: Record<string, Surface> = {
  'the sign-in': { path: '/login', fill: (username) => ({ username, password }) },
  'a forgotten password': { path: '/reset-password', fill: (username) => ({ username }) },
  'the registration': {
    path: '/register',
    fill: (email) => ({ email, firstName: 'A', lastName: 'B', newPassword: password, confirmPassword: password }),
  },
  'a link to sign in': { path: '/login', fill: (username) => ({ username, magicLink: 'true' }) },
}

async function open(path: string): Promise<{ browser: Browser; page: Page }> {
  const browser = createBrowser(realm.node.url)
  return { browser, page: await openPage(browser, `/realms/${realm.realmId}${path}`) }
}

/** A form as it is sent, without reading the page that answers. */
function sender({ browser, page }: { browser: Browser; page: Page }, { fill }: Surface) {
  const [form] = page.forms
  return (name: string) => {
    const place = `203.0.${randomBytes(1)[0]}.${randomBytes(1)[0]}`
    const headers = { accept: 'text/html', 'x-forwarded-for': place }
    return browser.send('POST', form!.action, { form: { ...form!.values, ...fill(name) }, headers })
  }
}

const median = (list: number[]) => list.sort((a, b) => a - b)[list.length >> 1]!

async function measure(send: (name: string) => Promise<unknown>): Promise<number> {
  const times: Record<string, number[]> = { [known]: [], [unknown]: [] }
  for (let pair = 0; pair < pairs; pair++) {
    for (const name of pair % 2 ? [known, unknown] : [unknown, known]) {
      const started = performance.now()
      await send(name)
      times[name]!.push(performance.now() - started)
    }
  }
  return median(times[known]!) / median(times[unknown]!)
}

describe.each(Object.entries(surfaces))('S42 %s', (_name, surface) => {
  test('answers a known and an unknown name with the same bytes and headers', async () => {
    const send = sender(await open(surface.path), surface)
    const [first, second] = [await send(known), await send(unknown)]
    expect(shapeOf(second, [known, unknown])).toEqual(shapeOf(first, [known, unknown]))
    expect(first.status).toBe(surface.fill('').password ? 401 : 200)
  })

  test(`takes the same time for both: medians of ${pairs} interleaved pairs`, { timeout: 120_000 }, async () => {
    const send = sender(await open(surface.path), surface)
    for (let warm = 0; warm < 5; warm++) await send(warm % 2 ? known : unknown)
    const ratios: number[] = []
    // On a machine that others use, too, a round may be off; a difference that is really there is there in every one.
    while (ratios.length < rounds && !ratios.some((ratio) => Math.abs(ratio - 1) <= 0.05))
      ratios.push(await measure(send))
    expect(Math.min(...ratios.map((ratio) => Math.abs(ratio - 1))), `known : unknown = ${ratios}`).toBeLessThanOrEqual(
      0.05,
    )
  })
})

test('S42 where the name is asked for first, the page after it is the same for every name', async () => {
  const own = await mails.openRealm()
  const steps = [
    { authenticator: 'username', requirement: 'REQUIRED' },
    { authenticator: 'password', requirement: 'REQUIRED' },
  ]
  await must(own.call('PUT', '/flow', { steps }), 200)
  await addPerson(own, 'known', { email: known })
  const shapes = []
  for (const username of [known, unknown]) {
    const browser = createBrowser(own.node.url)
    const next = await submit(browser, await openPage(browser, `/realms/${own.realmId}/login`), { username })
    const wrong = await submit(browser, next, { password })
    shapes.push([next, wrong].map(({ answer }) => shapeOf(answer, [username])))
  }
  expect(shapes[1]).toEqual(shapes[0])
})
