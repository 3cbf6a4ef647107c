// Passkeys and security keys of people in tests: a key in software, registered through the domain, asked by the pages.
import {
  createRegistrationOptions,
  storeRegistration,
  verifyRegistration,
} from '../../src/domain/users/credentials/webauthn/index.ts'
import { SoftwareAuthenticator } from '../../src/domain/users/credentials/webauthn/software-authenticator.fixture.ts'
import { defaultSettings } from '../../src/domain/settings/index.ts'
import type { Browser } from './browser.ts'
import type { TestRealm } from './realm.ts'

export {
  type Answering,
  SoftwareAuthenticator,
} from '../../src/domain/users/credentials/webauthn/software-authenticator.fixture.ts'

export const newKey = (realm: TestRealm) => new SoftwareAuthenticator(realm.node.services.config.baseUrl)

/** A key that the person has registered before. */
export async function addKey(realm: TestRealm, userId: string, key = newKey(realm)): Promise<SoftwareAuthenticator> {
  const { services } = realm.node
  const asks = {
    baseUrl: services.config.baseUrl,
    displayName: realm.realmId,
    policy: defaultSettings.webauthnPolicy,
  }
  const options = await createRegistrationOptions(services, asks, { realmId: realm.realmId, userId, username: 'key' })
  const { challenge } = options as { challenge: string }
  const verified = await verifyRegistration(services, asks, { challenge, response: key.register(options) })
  if (!verified) throw new Error('the key is refused')
  await realm.run((ctx) => storeRegistration(ctx, userId, verified, null))
  return key
}

/** What the sign-in page asks a passkey for, and the sealed challenge that goes back with the answer. */
export async function askForPasskey(browser: Browser, realm: TestRealm) {
  const { text } = await browser.get(`/realms/${realm.realmId}/login`, { headers: { accept: 'text/html' } })
  const options = /data-options="([^"]*)"/.exec(text)?.[1]
  const challenge = /name="passkeyChallenge" value="([^"]*)"/.exec(text)?.[1]
  if (!options || !challenge) throw new Error('the page asks for no passkey')
  return { options: JSON.parse(options.replaceAll('&quot;', '"')) as object, passkeyChallenge: challenge }
}
