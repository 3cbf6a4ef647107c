import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { findSparePort } from '../../server/test/services/index.mjs'
import { basicOf } from '../tokens/contender.ts'
import { type Peer, redirectUri } from './peer.ts'

const script = fileURLToPath(new URL('../../server/test/peers/keycloak.sh', import.meta.url))
const run = promisify(execFile)
// Kept from one run to the next: it is 170 MB and a build of a minute.
const folder = process.env.KEYCLOAK_FOLDER ?? join(homedir(), '.cache', 'gatehouse-keycloak')
const startTimeoutMs = 15 * 60_000
const password = 'correct-horse-battery-42'
const people = 50

/** Keycloak with a realm like ours: refresh tokens that are used once, a machine, a web application with PKCE, fifty people. */
export async function startKeycloak(databaseUrl: string): Promise<Peer> {
  const [port, management] = [await findSparePort(), await findSparePort()]
  const adminPassword = randomBytes(12).toString('hex')
  await run(script, ['start', folder, String(port), String(management), databaseUrl, adminPassword], {
    timeout: startTimeoutMs,
  })
  const url = `http://127.0.0.1:${port}`
  const stop = async () => void (await run(script, ['stop', folder]))
  try {
    const secrets = await fillRealm(url, adminPassword)
    const base = '/realms/bench/protocol/openid-connect'
    return {
      name: 'Keycloak',
      url,
      paths: {
        authorization: `${base}/auth`,
        token: `${base}/token`,
        introspection: `${base}/token/introspect`,
        userinfo: `${base}/userinfo`,
        jwks: `${base}/certs`,
      },
      machine: basicOf('machine', secrets.machine),
      web: basicOf('web', secrets.web),
      people: Array.from({ length: people }, (_, at) => ({ username: `user${at}`, password })),
      chains: [],
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function fillRealm(url: string, adminPassword: string): Promise<{ machine: string; web: string }> {
  const form = { grant_type: 'password', client_id: 'admin-cli', username: 'admin', password: adminPassword }
  const login = `${url}/realms/master/protocol/openid-connect/token`
  const answer = await fetch(login, { method: 'POST', body: new URLSearchParams(form) })
  let token = ((await answer.json()) as { access_token: string }).access_token
  const post = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const got = await fetch(`${url}/admin${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const text = await got.text()
    if (!got.ok) throw new Error(`Keycloak refuses ${path}: ${got.status} ${text}`)
  }
  const hour = 3600
  await post('/realms', {
    realm: 'bench',
    enabled: true,
    sslRequired: 'none',
    revokeRefreshToken: true,
    refreshTokenMaxReuse: 0,
    ssoSessionIdleTimeout: hour * 10,
  })
  // The administrator's rights in a realm that was just made are in the next token.
  const again = await fetch(login, { method: 'POST', body: new URLSearchParams(form) })
  token = ((await again.json()) as { access_token: string }).access_token
  const secrets = { machine: randomBytes(32).toString('base64url'), web: randomBytes(32).toString('base64url') }
  await post('/realms/bench/clients', describeMachine(secrets.machine))
  await post('/realms/bench/clients', {
    clientId: 'web',
    secret: secrets.web,
    publicClient: false,
    standardFlowEnabled: true,
    redirectUris: [redirectUri],
    attributes: { 'pkce.code.challenge.method': 'S256' },
  })
  for (let at = 0; at < people; at++) await post('/realms/bench/users', describePerson(at))
  return secrets
}

/** The audience is itself: Keycloak tells a client only about tokens that are meant for it. */
const describeMachine = (secret: string) => ({
  clientId: 'machine',
  secret,
  publicClient: false,
  serviceAccountsEnabled: true,
  standardFlowEnabled: false,
  protocolMappers: [
    {
      name: 'audience',
      protocol: 'openid-connect',
      protocolMapper: 'oidc-audience-mapper',
      config: { 'included.client.audience': 'machine', 'access.token.claim': 'true' },
    },
  ],
})

const describePerson = (at: number) => ({
  username: `user${at}`,
  email: `user${at}@example.org`,
  firstName: 'Ada',
  lastName: `Abbott ${at}`,
  emailVerified: true,
  enabled: true,
  credentials: [{ type: 'password', value: password, temporary: false }],
})
