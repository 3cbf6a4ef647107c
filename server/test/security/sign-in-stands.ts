// Every place a sign-in can stand at: how a person comes there, and what would take them on.
// S39: the corpus of misuse in sign-in-steps.test.ts is run at each of them.
import {
  addPerson,
  addTotp,
  authorize,
  codesOf,
  createBrowser,
  createClientIn,
  must,
  readForm,
  step,
  type TestRealm,
} from '../harness/index.ts'
import { newKey } from '../harness/authenticator.ts'
import { adminPassword } from '../harness/realm.ts'
import { first, magicLink, passkey, password, recoveryCode, sentCode, totp, webauthn } from './sign-in-factor-stands.ts'
import {
  codeFor,
  describeWaiting,
  type Form,
  nameOf,
  newPassword,
  optionsOf,
  type Stand,
  tokenFor,
  waitAt,
  type Waiting,
} from './sign-in-waiting.ts'

const action = (
  name: string,
  own: string[],
  finish: (realm: TestRealm, waiting: Waiting, aheadMs: number) => Promise<Form> | Form,
  more: Record<string, unknown> = {},
): Stand => ({
  name: `the required action ${name}`,
  realm: name === 'VERIFY_EMAIL' ? 'linked' : 'plain',
  own,
  async arrive(realm) {
    const person = await addPerson(realm, nameOf('action'), more)
    await must(realm.call('PUT', `/users/${person.userId}/required-actions`, [name]), 200)
    return waitAt(realm, person, (waiting, aheadMs) => finish(realm, waiting, aheadMs))
  },
})

/** The code of the app that the page shows. */
async function codeOfPage(realm: TestRealm, { browser, id }: Waiting, aheadMs: number): Promise<Form> {
  const { secret } = (await step(browser, realm, { challengeId: id, method: 'totp' })).body
  return { code: codesOf(secret, realm)(aheadMs) }
}

const registerKey = async (realm: TestRealm, waiting: Waiting, method?: string): Promise<Form> => ({
  ...(method ? { method } : {}),
  assertion: JSON.stringify(newKey(realm).register(await optionsOf(realm, waiting, method))),
})

const enrol = (method: 'totp' | 'webauthn'): Stand => ({
  name: `${method} that the policy makes people set up`,
  realm: 'strict',
  own: ['code', 'assertion'],
  async arrive(realm) {
    const person = await addPerson(realm, nameOf('enrol'))
    return waitAt(realm, person, (waiting, aheadMs) =>
      method === 'totp' ? codeOfPage(realm, waiting, aheadMs) : registerKey(realm, waiting, method),
    )
  },
})

const stepUp: Stand = {
  name: 'a step-up that an application asks for',
  realm: 'plain',
  own: ['code'],
  flow: '/flows/step-up',
  async arrive(realm) {
    const person = await addPerson(realm, nameOf('step-up'))
    const client = await createClientIn(realm)
    const browser = createBrowser(realm.node.url)
    await authorize(realm, client, { browser, username: person.username })
    const code = await addTotp(realm, person.userId)
    const params = { acr_values: 'urn:gatehouse:acr:2' }
    const { answer } = await authorize(realm, client, { browser, params, stopAtPage: true })
    const earlier = [{ username: person.username, password: adminPassword }]
    return describeWaiting(
      { browser, person, id: readForm(answer.text).signIn!, earlier, methods: ['totp'] },
      (_, aheadMs) => ({ code: code(aheadMs) }),
    )
  },
}

const link = (
  name: string,
  { purpose, path, actions }: { purpose: 'RESET_PASSWORD' | 'ACTIONS'; path: string; actions?: string[] },
  own: string[],
  finish: (realm: TestRealm, waiting: Waiting, aheadMs: number) => Promise<Form> | Form,
): Stand => ({
  name,
  realm: 'linked',
  own,
  flow: '/flows/reset-credentials',
  async arrive(realm) {
    const person = await addPerson(realm, nameOf('link'))
    const token = await tokenFor(realm, person, purpose, actions ? { details: { actions } } : {})
    const browser = createBrowser(realm.node.url)
    const address = `/realms/${realm.realmId}${path}`
    await browser.get(`${address}?token=${token}`)
    const headers = { accept: 'application/json' }
    const { body } = await browser.send('POST', address, { form: { _csrf: browser.csrf(), token }, headers })
    const known = { browser, person, id: body.challengeId, earlier: [{ token, linkToken: token }], methods: [] }
    return describeWaiting(known, (waiting, aheadMs) => finish(realm, waiting, aheadMs))
  },
})

export const stands: Stand[] = [
  first('name and password', 'plain', ['username', 'assertion'], ({ username }) => [
    { username, password: adminPassword },
  ]),
  first('the name alone', 'named', ['username'], ({ username }): Form[] => [{ username }, { password: adminPassword }]),
  password,
  passkey,
  magicLink,
  totp,
  recoveryCode,
  webauthn,
  sentCode('email', 'OTP_EMAIL'),
  sentCode('sms', 'OTP_SMS'),
  action('UPDATE_PASSWORD', ['newPassword'], () => ({ newPassword })),
  action('UPDATE_PROFILE', ['email', 'firstName', 'lastName', 'phone'], () => ({
    firstName: 'Ada',
    lastName: 'Byron',
  })),
  action(
    'VERIFY_EMAIL',
    ['code'],
    async (realm, waiting) => ({ code: await codeFor(realm, 'VERIFY_EMAIL_CODE', waiting) }),
    { emailVerified: false },
  ),
  action('CONFIGURE_TOTP', ['code'], codeOfPage),
  action('CONFIGURE_RECOVERY_CODES', ['saved'], () => ({ saved: 'true' })),
  action('REGISTER_WEBAUTHN', ['assertion'], (realm, waiting) => registerKey(realm, waiting)),
  action('TERMS_AND_CONDITIONS', ['accept'], () => ({ accept: 'true' })),
  enrol('totp'),
  enrol('webauthn'),
  stepUp,
  link('a forgotten password', { purpose: 'RESET_PASSWORD', path: '/reset-password' }, ['newPassword'], () => ({
    newPassword,
  })),
  link(
    'actions an administrator mailed',
    { purpose: 'ACTIONS', path: '/login/actions', actions: ['CONFIGURE_TOTP'] },
    ['code'],
    codeOfPage,
  ),
]
