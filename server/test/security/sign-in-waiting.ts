// A sign-in that waits for something, and what would take it on.
// S39: shared by the tables of places in sign-in-factor-stands.ts and sign-in-stands.ts.
import { issueCode, issueToken, type Purpose } from '../../src/domain/one-time-secrets/index.ts'
import { type Browser, passPassword, type Person, readForm, step, type TestRealm } from '../harness/index.ts'
import { adminPassword } from '../harness/realm.ts'

export type Form = Record<string, string>

export interface Waiting {
  browser: Browser
  person: Person
  /** The sign-in's id. */
  id: string
  /** What was sent to come here. */
  earlier: Form[]
  /** The requests that end this sign-in well. Made when they are needed: codes and challenges are of the moment. */
  finish(aheadMs?: number): Promise<{ path?: string; form: Form }[]>
  /** Credentials that would do here, as the answer names them. */
  methods: string[]
}

export type RealmName = 'plain' | 'sent' | 'strict' | 'named' | 'linked'

export interface Stand {
  name: string
  realm: RealmName
  /** Fields that this step reads: whatever else is sent, it makes no progress without them. */
  own: string[]
  /** Where the flow is that it goes through, unless it is the one in use for browsers. */
  flow?: string
  arrive(realm: TestRealm): Promise<Waiting>
}

export const newPassword = 'a-brand-new-password-7'
let people = 0
export const nameOf = (kind: string) => `${kind}-${(people += 1)}`

export async function waitAt(
  realm: TestRealm,
  person: Person,
  finish: (waiting: Waiting, aheadMs: number) => Promise<Form> | Form,
): Promise<Waiting> {
  const { browser, answer, challengeId } = await passPassword(realm, person.username)
  const earlier = [{ username: person.username, password: adminPassword }]
  return describeWaiting({ browser, person, id: challengeId, earlier, methods: answer.body.methods ?? [] }, finish)
}

export function describeWaiting(
  known: Omit<Waiting, 'finish'>,
  finish: (waiting: Waiting, aheadMs: number) => Promise<Form> | Form,
): Waiting {
  const waiting: Waiting = {
    ...known,
    finish: async (aheadMs = 0) => [{ form: { challengeId: known.id, ...(await finish(waiting, aheadMs)) } }],
  }
  return waiting
}

export const codeFor = (realm: TestRealm, purpose: Purpose, waiting: Waiting) =>
  realm.run((ctx) => issueCode(ctx, { purpose, subject: waiting.person.userId, boundTo: waiting.id, ttlMs: 3_600_000 }))

/** A link as it is mailed: it is worth something as long as the address is the person's. */
export const tokenFor = (realm: TestRealm, { userId, username }: Person, purpose: Purpose, more: object) => {
  const issue = {
    purpose,
    subject: userId,
    boundTo: null,
    ttlMs: 3_600_000,
    sealed: `${username}@example.org`,
    ...more,
  }
  return realm.run((ctx) => issueToken(ctx, issue))
}

/** What an authenticator is asked for now: every look at the page is a new challenge. */
export async function optionsOf(realm: TestRealm, { browser, id }: Waiting, method?: string): Promise<object> {
  return (await step(browser, realm, { challengeId: id, ...(method ? { method } : {}) })).body.options
}

/** The sign-in that a refused first try leaves behind. */
export async function beginAtFirstPage(realm: TestRealm, browser: Browser, form: Form): Promise<string> {
  const path = `/realms/${realm.realmId}/login`
  await browser.get(path)
  const headers = { accept: 'text/html' }
  const { text } = await browser.send('POST', path, { form: { _csrf: browser.csrf(), ...form }, headers })
  return readForm(text).signIn!
}
