// Places of a sign-in where a factor is asked for: how a person comes there, and what would take them on.
import { randomInt } from 'node:crypto'
import type { Purpose } from '../../src/domain/one-time-secrets/index.ts'
import { addPerson, addTotp, createBrowser, must, type Person, step, type TestRealm } from '../harness/index.ts'
import { addKey, askForPasskey } from '../harness/authenticator.ts'
import { adminPassword } from '../harness/realm.ts'
import {
  beginAtFirstPage,
  codeFor,
  describeWaiting,
  type Form,
  nameOf,
  optionsOf,
  type RealmName,
  type Stand,
  tokenFor,
  waitAt,
} from './sign-in-waiting.ts'

export const first = (name: string, realm: RealmName, own: string[], finish: (person: Person) => Form[]): Stand => ({
  name,
  realm,
  own,
  async arrive(realmOf) {
    const person = await addPerson(realmOf, nameOf('first'))
    const browser = createBrowser(realmOf.node.url)
    const id = await beginAtFirstPage(realmOf, browser, { username: '' })
    const forms = finish(person).map((form) => ({ form: { challengeId: id, ...form } }))
    return { browser, person, id, earlier: [], methods: [], finish: async () => forms }
  },
})

export const passkey: Stand = {
  name: 'a passkey as the first factor',
  realm: 'plain',
  own: ['username', 'assertion'],
  async arrive(realm) {
    const person = await addPerson(realm, nameOf('passkey'))
    const key = await addKey(realm, person.userId)
    const browser = createBrowser(realm.node.url)
    const id = await beginAtFirstPage(realm, browser, { username: '' })
    return describeWaiting({ browser, person, id, earlier: [], methods: [] }, async () => {
      const { options, passkeyChallenge } = await askForPasskey(browser, realm)
      return { passkeyChallenge, assertion: JSON.stringify(key.answer(options)) }
    })
  },
}

export const password: Stand = {
  name: 'the password after the name',
  realm: 'named',
  own: ['password'],
  async arrive(realm) {
    const person = await addPerson(realm, nameOf('named'))
    const browser = createBrowser(realm.node.url)
    await browser.get(`/realms/${realm.realmId}/login`)
    const id = (await step(browser, realm, { username: person.username })).body.challengeId
    const earlier = [{ username: person.username }]
    return describeWaiting({ browser, person, id, earlier, methods: [] }, () => ({ password: adminPassword }))
  },
}

export const magicLink: Stand = {
  name: 'a link that was mailed',
  realm: 'linked',
  // The password would do as well here: the link is an alternative to it.
  own: ['password', 'username', 'linkToken'],
  async arrive(realm) {
    const person = await addPerson(realm, nameOf('linked'))
    const browser = createBrowser(realm.node.url)
    await browser.get(`/realms/${realm.realmId}/login`)
    const earlier = [{ username: person.username, magicLink: 'true' }]
    const id = (await step(browser, realm, earlier[0]!)).body.challengeId
    const finish = async () => {
      return [{ path: '/login/link', form: { token: await tokenFor(realm, person, 'MAGIC_LINK', { boundTo: id }) } }]
    }
    return { browser, person, id, earlier, methods: [], finish }
  },
}

export const totp: Stand = {
  name: 'an authenticator app',
  realm: 'plain',
  own: ['code'],
  async arrive(realm) {
    const person = await addPerson(realm, nameOf('totp'))
    const code = await addTotp(realm, person.userId)
    return waitAt(realm, person, (_, aheadMs) => ({ code: code(aheadMs) }))
  },
}

export const recoveryCode: Stand = {
  name: 'a recovery code',
  realm: 'plain',
  own: ['code'],
  async arrive(realm) {
    const person = await addPerson(realm, nameOf('recovery'))
    await addTotp(realm, person.userId)
    const path = `/users/${person.userId}/credentials`
    const { codes } = (await must(realm.call('POST', path, { type: 'recovery-codes' }), 201)).body
    return waitAt(realm, person, () => ({ method: 'recovery-codes', code: codes[0] }))
  },
}

export const webauthn: Stand = {
  name: 'a security key',
  realm: 'plain',
  own: ['assertion', 'code'],
  async arrive(realm) {
    const person = await addPerson(realm, nameOf('webauthn'))
    const key = await addKey(realm, person.userId)
    await addTotp(realm, person.userId)
    return waitAt(realm, person, async (waiting) => ({
      method: 'webauthn',
      assertion: JSON.stringify(key.answer(await optionsOf(realm, waiting, 'webauthn'))),
    }))
  },
}

/** Nothing in the API says so yet: numbers are proved by the account's own pages. */
const verifyPhone = (realm: TestRealm, { userId }: Person) =>
  realm.run(({ tx, realmId }) =>
    tx
      .updateTable('users')
      .set({ phone_verified: true })
      .where('realm_id', '=', realmId)
      .where('id', '=', userId)
      .execute(),
  )

export const sentCode = (channel: 'email' | 'sms', purpose: Purpose): Stand => ({
  name: `a code by ${channel}`,
  realm: 'sent',
  own: ['code'],
  async arrive(realm) {
    const person = await addPerson(realm, nameOf(channel), { phone: `+4930${randomInt(10 ** 6, 10 ** 7)}` })
    await verifyPhone(realm, person)
    return waitAt(realm, person, async (waiting) => ({
      method: channel,
      code: await codeFor(realm, purpose, waiting),
    }))
  },
})
