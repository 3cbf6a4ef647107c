import { randomUUID } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { type Answer, api } from './browser.ts'
import { addPerson, type Person } from './people.ts'
import { adminPassword, createRealmFor, must, type TestRealm } from './realm.ts'
import { basic, createClientIn, issuerOf, requestToken, signInTo, type TestClient } from './relying-party.ts'

export const accessType = 'urn:ietf:params:oauth:token-type:access_token'
export const jwtType = 'urn:ietf:params:oauth:token-type:jwt'
export const exchangeType = 'urn:ietf:params:oauth:grant-type:token-exchange'
export const orders = 'https://orders.example.org'
export const grantTypes = ['token-exchange', 'client_credentials']

type Form = Record<string, string>

/** An application that a person signs in to, and an API that gets its tokens and calls another with them. */
export interface Stage {
  realm: TestRealm
  person: Person
  app: TestClient
  gateway: TestClient
  /** The person's token from the application. */
  token: string
  createExchanger(members?: object, allowedResources?: string[]): Promise<TestClient>
  signIn(scope: string, as?: TestClient): Promise<string>
  machineToken(as: TestClient, form?: Form): Promise<string>
  swap(form?: Form, as?: TestClient): Promise<Answer>
  swapped(form?: Form, as?: TestClient): Promise<string>
  introspect(token: string, as: TestClient): Promise<Answer>
  isActive(token: string, as: TestClient): Promise<boolean>
  userinfo(token: string): Promise<Answer>
  revoke(token: string, as: TestClient): Promise<Answer>
}

export const asActor = (actor: string): Form => ({ actor_token: actor, actor_token_type: accessType })

export async function createStage(): Promise<Stage> {
  const realm = await createRealmFor()
  const issuer = issuerOf(realm)
  const stage: Partial<Stage> & Omit<Stage, 'app' | 'gateway' | 'token' | 'person'> = {
    realm,
    async createExchanger(members = {}, allowedResources = []) {
      const client = await createClientIn(realm, { grantTypes, redirectUris: [], ...members })
      await must(realm.call('PUT', `/clients/${client.id}/allowed-resources`, { allowedResources }), 200)
      return client
    },
    async signIn(scope, as = stage.app!) {
      const options = { username: 'person', password: adminPassword, params: { scope } }
      return (await signInTo(realm, as, options)).access_token!
    },
    async machineToken(as, form = {}) {
      const asked = requestToken(realm, as, { grant_type: 'client_credentials', ...form })
      return (await must(asked, 200)).body.access_token
    },
    swap(form = {}, as = stage.gateway!) {
      const own = { grant_type: exchangeType, subject_token: stage.token!, subject_token_type: accessType }
      return requestToken(realm, as, { ...own, ...form })
    },
    swapped: async (form, as) => (await must(stage.swap(form, as), 200)).body.access_token,
    introspect: (token, as) => api(`${issuer}/introspect`, 'POST', { form: { token }, headers: basic(as) }),
    isActive: async (token, as) => (await stage.introspect(token, as)).body.active,
    userinfo: (token) => api(`${issuer}/userinfo`, 'GET', { headers: { authorization: `Bearer ${token}` } }),
    revoke: (token, as) => must(api(`${issuer}/revoke`, 'POST', { form: { token }, headers: basic(as) }), 200),
  }
  stage.person = await addPerson(realm, 'person')
  stage.gateway = await stage.createExchanger({ clientId: 'gateway', scopes: ['phone', 'offline_access'] }, [orders])
  stage.app = await createClientIn(realm, {
    ...{ clientId: 'app', audiences: ['gateway'], scopes: ['phone', 'address', 'offline_access'] },
    grantTypes: ['authorization_code', 'refresh_token', ...grantTypes],
  })
  stage.token = await stage.signIn('openid profile address')
  return stage as Stage
}

/** A client that proves to hold a key with every request (RFC 9449). */
export async function createProver(realm: TestRealm) {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const jwk = await exportJWK(publicKey)
  const url = `${issuerOf(realm)}/token`
  const ask = async (as: TestClient, form: Form) => {
    const dpop = await new SignJWT({ htm: 'POST', htu: url, jti: randomUUID() })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
      .setIssuedAt()
      .sign(privateKey)
    return api(url, 'POST', { form, headers: { ...basic(as), dpop } })
  }
  return { ask, jkt: await calculateJwkThumbprint(jwk) }
}
