// S39 as a property: whatever is sent in whatever order through a flow nobody would draw, a session has proved what it asks.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDice, drawFlow, rollFlow } from '../../src/domain/flows/flow-notation.fixture.ts'
import { findNext, type FlowStep } from '../../src/domain/flows/index.ts'
import { levelOf, type Proof } from '../../src/domain/sessions/index.ts'
import {
  addPerson,
  type Answer,
  type Browser,
  codesOf,
  createBrowser,
  createRealmFor,
  isSignedIn,
  must,
  type Person,
  startTestNode,
  step,
  type TestNode,
  type TestRealm,
} from '../harness/index.ts'
import { addKey, askForPasskey, type SoftwareAuthenticator } from '../harness/authenticator.ts'
import { adminPassword } from '../harness/realm.ts'

let node: TestNode
beforeAll(async () => {
  node = await startTestNode({ env: { GATEHOUSE_WORKER: 'false' } })
})
afterAll(() => node?.stop())

const authenticators = ['username', 'password', 'username-password', 'passkey', 'totp', 'webauthn', 'recovery-code']
const silent = ['allow', 'terms', 'deny', 'cookie']
// Only what is the same throughout a walk: the request comes from loopback, nobody is staff and no browser is trusted.
const answers: Record<string, boolean> = {
  staff: false,
  'not-staff': true,
  office: false,
  outside: true,
  trusted: false,
}

interface World {
  realm: TestRealm
  steps: FlowStep[]
  person: Person
  other: Person
  key: SoftwareAuthenticator
  totp(): string
  recoveryCodes: string[]
}

const withoutIds = ({ id: _id, steps, ...rest }: FlowStep): object => ({ ...rest, steps: steps.map(withoutIds) })

async function openWorld(draw: () => FlowStep[]): Promise<World> {
  const realm = await createRealmFor({ node })
  await must(realm.call('PUT', '/settings', { bruteForce: { enabled: false, perIpMaxPerMinute: 10_000 } }), 200)
  const [person, other] = [await addPerson(realm, 'ada'), await addPerson(realm, 'eve')]
  const key = await addKey(realm, person.userId)
  const path = `/users/${person.userId}/credentials`
  const { id, secret } = (await must(realm.call('POST', path, { type: 'totp' }), 201)).body
  const totp = () => {
    // Each code counts once, so each comes from a time of its own.
    node.clock.advance(30_000)
    return codesOf(secret, realm)()
  }
  await must(realm.call('POST', `${path}/totp/${id}/confirm`, { code: totp() }), 200)
  const { codes } = (await must(realm.call('POST', path, { type: 'recovery-codes' }), 201)).body
  // Administrators have everything, so that any flow that can be passed at all may be put in use.
  await addKey(realm, realm.adminId)
  await must(realm.call('POST', `/users/${realm.adminId}/credentials`, { type: 'recovery-codes' }), 201)
  for (;;) {
    const { status, body } = await realm.call('PUT', '/flow', { steps: draw().map(withoutIds) })
    if (status === 200) return { realm, steps: body.steps, person, other, key, totp, recoveryCodes: codes }
  }
}

type Form = Record<string, string>

/** What the last answer asks for, as this person would answer it. */
async function answerRightly(world: World, person: Person, browser: Browser, { body }: Answer): Promise<Form> {
  const { key, realm } = world
  if (body?.options) return { assertion: JSON.stringify(key.answer(body.options)) }
  if (body?.method === 'totp') return { code: world.totp() }
  if (body?.method === 'recovery-codes') return { code: world.recoveryCodes[0]! }
  if (body?.requiredAction) return { accept: 'true', saved: 'true' }
  if (body?.fields === 'NONE') {
    const { options, passkeyChallenge } = await askForPasskey(browser, realm)
    return { passkeyChallenge, assertion: JSON.stringify(key.answer(options)) }
  }
  return { username: person.username, password: adminPassword }
}

const pick = <T>(dice: (sides: number) => number, list: readonly T[]): T => list[dice(list.length)]!

/** Anything, rightly or wrongly. */
function answerAnyhow(world: World, dice: (sides: number) => number): Form {
  const values: [string, () => string][] = [
    ['username', () => pick(dice, [world.person.username, world.other.username, '', 'nobody'])],
    ['password', () => pick(dice, [adminPassword, ''])],
    ['code', () => pick(dice, [world.totp(), world.recoveryCodes[0]!, '000000', ''])],
    ['method', () => pick(dice, ['totp', 'webauthn', 'recovery-codes', 'passkey', 'password', 'allow', 'username'])],
    ['accept', () => 'true'],
    ['assertion', () => '{}'],
    ['trustDevice', () => 'true'],
  ]
  return Object.fromEntries(values.filter(() => dice(3) === 0).map(([name, value]) => [name, value()]))
}

const methodOf: Record<string, string> = { 'username-password': 'password' }

/** Whether these proofs are what the flow and the policy ask of this person. */
function isEnough({ steps }: World, proofs: Proof[], hasFactor: boolean): boolean {
  const proved = new Set(proofs.map(({ method }) => method))
  const hasSecond = levelOf(proofs) > 1 || proved.size > 1
  const passed = new Set<string>()
  const visit = ({ id, authenticator, steps: inner }: FlowStep): void => {
    const isSilent = authenticator === 'username' || authenticator === 'allow' || authenticator === 'terms'
    if (authenticator && (isSilent || proved.has(methodOf[authenticator] ?? authenticator))) passed.add(id)
    inner.forEach(visit)
  }
  steps.forEach(visit)
  const { kind } = findNext(steps, passed, {
    holds: (condition, { steps: inner }) => {
      if (condition === null) return inner.some(({ id }) => passed.has(id)) || (hasFactor && !hasSecond)
      const { negate, trusted } = condition.config
      return negate === true || trusted === false
    },
    usable: ({ authenticator }) => authenticator !== 'deny' && authenticator !== 'cookie',
  })
  return kind === 'DONE' && (!hasFactor || hasSecond)
}

async function readProofs({ realm }: World, userId: string): Promise<Proof[]> {
  const row = await realm.run(({ tx, realmId }) =>
    tx
      .selectFrom('sessions')
      .select('proofs')
      .where('realm_id', '=', realmId)
      .where('user_id', '=', userId)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow(),
  )
  return row.proofs as Proof[]
}

const flows = 12
const requests = 30

test('S39: no walk through any flow ends in a session that proved too little', { timeout: 120_000 }, async () => {
  let sessions = 0
  for (let seed = 1; seed <= flows; seed++) {
    const dice = createDice(seed)
    // The first is one that somebody without a second factor must not get through.
    const draw = () =>
      seed === 1
        ? drawFlow('username-password:R (totp:A webauthn:A):R')
        : rollFlow(dice, [...authenticators, ...silent], Object.keys(answers))
    const world = await openWorld(draw)
    const { realm } = world
    let browser = createBrowser(node.url)
    let answer = await browser.get(`/realms/${realm.realmId}/login`)
    const ids: string[] = []
    let who = world.person
    for (let at = 0; at < requests; at++) {
      const form = dice(3) > 0 ? await answerRightly(world, who, browser, answer) : answerAnyhow(world, dice)
      const id = dice(8) === 0 ? undefined : dice(8) === 0 ? pick(dice, ids) : ids.at(-1)
      answer = await step(browser, realm, { ...form, ...(id ? { challengeId: id } : {}) })
      if (answer.body?.challengeId) ids.push(answer.body.challengeId)
      // Where nothing is left to try, the other one begins.
      if (answer.status === 403) ids.length = 0
      if (answer.status === 403) who = who === world.person ? world.other : world.person
      if (!isSignedIn(browser, realm)) continue
      sessions += 1
      const { userId } = answer.body
      const proofs = await readProofs(world, userId)
      const drawn = JSON.stringify(world.steps.map(withoutIds))
      const enough = isEnough(world, proofs, userId === world.person.userId)
      expect({ seed, at, enough, proofs: proofs.map(({ method }) => method), drawn }).toMatchObject({ enough: true })
      browser = createBrowser(node.url)
      answer = await browser.get(`/realms/${realm.realmId}/login`)
      ids.length = 0
      who = pick(dice, [world.person, world.other])
    }
  }
  // Walks that never arrive would prove nothing.
  expect(sessions).toBeGreaterThan(flows)
})
