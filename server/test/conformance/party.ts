// The relying party of the conformance modules: openid-client asks and checks (issuer, state, nonce, audience, times and the
// signature of the ID token), the browser in between is ours. The suite registers its clients by hand (static_client).
import * as openid from 'openid-client'
import {
  type Browser,
  createBrowser,
  createClientIn,
  issuerOf,
  type TestClient,
  type TestRealm,
} from '../harness/index.ts'
import { walk, type Walk, type WalkOptions } from '../relying-parties/walk.ts'

/** Plans that hold the same modules and differ in how the application is answered. */
export const codePlans = [
  { plan: 'oidcc-basic-certification-test-plan', mode: undefined },
  { plan: 'oidcc-formpost-basic-certification-test-plan', mode: 'form_post' },
] as const
export type ResponseMode = (typeof codePlans)[number]['mode']

export interface Party {
  realm: TestRealm
  client: TestClient
  config: openid.Configuration
}

// The suite sends a challenge in one module only.
const asTheSuiteRegisters = { requirePkce: false, scopes: ['address', 'phone', 'offline_access'] }

export async function createParty(realm: TestRealm, members: Record<string, unknown> = {}): Promise<Party> {
  const client = await createClientIn(realm, { ...asTheSuiteRegisters, ...members })
  const secret = client.secret!
  const authenticate =
    members.tokenEndpointAuthMethod === 'client_secret_post'
      ? openid.ClientSecretPost(secret)
      : openid.ClientSecretBasic(secret)
  const config = await openid.discovery(new URL(issuerOf(realm)), client.clientId, undefined, authenticate, {
    execute: [openid.allowInsecureRequests, openid.enableNonRepudiationChecks],
  })
  return { realm, client, config }
}

export interface SignIn extends WalkOptions {
  browser?: Browser
  mode?: ResponseMode
  params?: Record<string, string>
  /** Sent as a form instead of in the address. */
  post?: boolean
  withoutNonce?: boolean
  pkceCodeVerifier?: string
}

/** Sends the browser to the issuer and waits for what comes back. */
export async function ask(party: Party, options: SignIn = {}) {
  const { browser = createBrowser(party.realm.node.url), mode, params } = options
  const expectedState = openid.randomState()
  const expectedNonce = openid.randomNonce()
  const url = openid.buildAuthorizationUrl(party.config, {
    redirect_uri: party.client.redirectUri,
    scope: 'openid',
    state: expectedState,
    ...(options.withoutNonce ? {} : { nonce: expectedNonce }),
    ...(mode ? { response_mode: mode } : {}),
    ...params,
  })
  const form = Object.fromEntries(url.searchParams)
  if (options.post) url.search = ''
  const seen = await walk(browser, url, { ...options, ...(options.post ? { form } : {}) })
  return { ...seen, browser, expectedState, expectedNonce: options.withoutNonce ? undefined : expectedNonce }
}

/** The whole flow: the relying party checks the answer, redeems the code and checks the tokens. */
export async function signIn(party: Party, options: SignIn = {}) {
  const asked = await ask(party, options)
  const tokens = await finish(party, asked, options)
  return { ...asked, tokens, claims: tokens.claims()! }
}

type Asked = Pick<Awaited<ReturnType<typeof ask>>, 'callback' | 'answer' | 'expectedNonce' | 'expectedState'>

export function finish(party: Party, asked: Asked, options: Pick<SignIn, 'pkceCodeVerifier' | 'params'> = {}) {
  const { callback, answer, expectedNonce, expectedState } = asked
  if (!callback) throw new Error(`the application was not called: ${answer.status} ${answer.text.slice(0, 300)}`)
  const { pkceCodeVerifier, params } = options
  const checks = {
    expectedState,
    idTokenExpected: true,
    ...(expectedNonce === undefined ? {} : { expectedNonce }),
    ...(pkceCodeVerifier === undefined ? {} : { pkceCodeVerifier }),
    ...(params?.max_age === undefined ? {} : { maxAge: Number(params.max_age) }),
  }
  return openid.authorizationCodeGrant(party.config, callback instanceof Request ? callback.clone() : callback, checks)
}

/** The answer went to the application the way it asked for. */
export function arrivedBy(callback: Walk['callback']): ResponseMode | 'nowhere' {
  if (callback === null) return 'nowhere'
  return callback instanceof Request ? 'form_post' : undefined
}
