// S8, S9: whatever somebody with one permission tries, in whatever order, they and those they command hold no more than before.
// Contract 5.2. The search goes on as long as anything new succeeds.
import { beforeEach, describe, expect, test } from 'vitest'
import { permissionKeys } from '../../src/domain/permissions/index.ts'
import { type Answer, type Browser, createBrowser, createRealmFor, type TestRealm } from '../harness/index.ts'
import { adminPassword } from '../harness/realm.ts'
import { sweptRoutes } from './route-table.ts'
import { type SignedIn, signIn } from './sign-in.ts'

let realm: TestRealm
beforeEach(async () => {
  realm = await createRealmFor()
})

type Call = [method: string, path: string, json?: unknown]

interface World {
  caller: SignedIn
  ownRole: string
  /** Somebody without permissions whose password the caller may set, and through whom they could act. */
  puppetId: string
  /** A second realm-admin, and an auditor: people who hold more. */
  betters: string[]
  /** A client whose service account is a realm-admin. */
  chiefClientId: string
  /** A client that holds nothing, and the user that it is. */
  plainClient: { id: string; userId: string }
}

const stolenPassword = 'stolen-lantern-orchid-47'
const ownPassword = 'puppet-lantern-orchid-48'

async function openWorld(permissions: string[]): Promise<World> {
  const caller = await signIn(realm, permissions, 'caller')
  const chief = (await realm.call('POST', '/roles', { name: 'chief', compositeRoleNames: ['admin'] })).body
  expect(chief.roleId).toBeTypeOf('string')
  const betters: string[] = [realm.adminId]
  for (const [username, role] of [
    ['second', 'chief'],
    ['watcher', 'auditor'],
  ]) {
    const user = (await realm.call('POST', '/users', { username, email: `${username}@example.org` })).body
    expect((await realm.call('POST', `/users/${user.userId}/roles`, { name: role })).status).toBe(201)
    betters.push(user.userId)
  }
  const puppet = (await realm.call('POST', '/users', { username: 'puppet', email: 'puppet@example.org' })).body
  const [chiefClient, plainClient] = [await makeMachine('chief-machine'), await makeMachine('plain-machine')]
  const given = await realm.call('POST', `/clients/${chiefClient.id}/service-account/roles`, { name: 'chief' })
  expect(given.status).toBe(201)
  const ownRole = `role-${caller.username}`
  return { caller, ownRole, puppetId: puppet.userId, betters, chiefClientId: chiefClient.id, plainClient }
}

async function makeMachine(clientId: string): Promise<{ id: string; userId: string }> {
  const { body } = await realm.call('POST', '/clients', { clientId, grantTypes: ['client_credentials'] })
  return { id: body.id, userId: body.serviceAccountUserId }
}

async function rolesByName(): Promise<Map<string, string>> {
  const { body } = await realm.call('GET', '/roles?size=1000')
  return new Map(body.map((role: { name: string; roleId: string }) => [role.name, role.roleId]))
}

/** Ways to give a role more, or somebody a role. */
function grantingCalls(world: World, roles: Map<string, string>, held: string[]): Call[] {
  const calls: Call[] = []
  for (const [name, roleId] of roles) {
    const wanted =
      name === world.ownRole || name === 'user' ? permissionKeys : (['realm-admin', 'manage-realm'] as const)
    for (const permission of wanted) {
      calls.push(['PUT', `/admin-roles/${roleId}`, { permissions: [...held, permission] }])
    }
    for (const userId of [world.caller.userId, world.puppetId]) calls.push(['POST', `/users/${userId}/roles`, { name }])
    calls.push(['POST', `/clients/${world.plainClient.id}/service-account/roles`, { name }])
    calls.push(
      ['PUT', `/roles/${roleId}/default`],
      ['PATCH', `/roles/${roles.get(world.ownRole)}`, { compositeRoleNames: [name] }],
      ['PATCH', `/roles/${roles.get('user')}`, { compositeRoleNames: [name] }],
      ['PATCH', `/roles/${roleId}`, { compositeRoleNames: [world.ownRole, 'user'].filter((other) => other !== name) }],
      ['PUT', `/roles/${roleId}`, { name }],
      ['DELETE', `/roles/${roleId}`],
    )
    // One word more is as good as ten: what is made in the first round is used in the next.
    if (/^with-|-renamed$/.test(name)) continue
    calls.push(
      ['POST', '/roles', { name: `with-${name}`, compositeRoleNames: [name] }],
      ['PUT', `/roles/${roleId}`, { name: `${name}-renamed` }],
    )
  }
  // A name that a privileged role had, or that of the role that is found by its name.
  calls.push(['POST', '/roles', { name: 'admin' }], ['PATCH', `/roles/${roles.get(world.ownRole)}`, { name: 'admin' }])
  return calls
}

/** Ways to become somebody who holds more: their password, their address, their factors, their way in. */
function takeoverCalls(userId: string, at: number): Call[] {
  return [
    ['POST', `/users/${userId}/impersonate`],
    ['PUT', `/users/${userId}/password`, { newPassword: stolenPassword, revokeSessions: false }],
    ['POST', `/users/${userId}/credentials`, { type: 'password', value: `${stolenPassword}-too` }],
    ['DELETE', `/users/${userId}/credentials/password/01980a51-0000-7000-8000-000000000000`],
    ['PATCH', `/users/${userId}`, { email: `stolen-${at}@example.org` }],
    ['PATCH', `/users/${userId}`, { emailVerified: true }],
    ['PATCH', `/users/${userId}`, { phone: '+41791234567' }],
    ['PATCH', `/users/${userId}`, { username: `renamed-${at}` }],
    ['PATCH', `/users/${userId}`, { enabled: false }],
    ['PATCH', `/users/${userId}`, { locked: true }],
    ['PATCH', `/users/${userId}`, { requiredActions: ['UPDATE_PASSWORD'] }],
    ['PUT', `/users/${userId}/required-actions`, { requiredActions: ['UPDATE_PASSWORD'] }],
    ['POST', `/users/${userId}/required-actions`, { requiredActions: ['CONFIGURE_TOTP'] }],
    ['DELETE', `/users/${userId}`],
    ['DELETE', `/users/${userId}/gdpr`],
  ]
}

/** Ways to speak for a client that holds more: its secret, its proof, its addresses, its tokens. */
function clientTakeoverCalls(id: string): Call[] {
  const mapper = { name: 'x', type: 'CONSTANT', config: { claim: 'x', value: 'y' } }
  return [
    ['POST', `/clients/${id}/secret`],
    ['GET', `/clients/${id}/secret`],
    ['PATCH', `/clients/${id}`, { redirectUris: ['https://evil.example/cb'] }],
    ['PATCH', `/clients/${id}`, { tokenEndpointAuthMethod: 'private_key_jwt', jwksUri: 'https://evil.example/jwks' }],
    ['PUT', `/clients/${id}/allowed-resources`, { allowedResources: ['https://api.example.com'] }],
    ['POST', `/clients/${id}/mappers`, mapper],
    ['DELETE', `/clients/${id}/service-account/roles`, { name: 'chief' }],
    ['DELETE', `/clients/${id}`],
  ]
}

/** Ways to be handed tokens for the admin API by whoever signs in. */
function adminAudienceCalls({ plainClient }: World): Call[] {
  const adminApi = `${realm.node.url}/admin`
  return [
    ['PUT', `/clients/${plainClient.id}/allowed-resources`, { allowedResources: [adminApi] }],
    ['PATCH', `/clients/${plainClient.id}`, { audiences: [adminApi] }],
    ['POST', '/clients', { clientId: 'bait', audiences: [adminApi] }],
    ['POST', '/clients', { clientId: adminApi, includeClientIdInAudience: true }],
  ]
}

/** Settings through which people could be given something, or let in. */
const settingCalls: Call[] = [
  ['PUT', '/settings', { registrationAllowed: true, resetPasswordAllowed: true, adminBearerEnabled: true }],
  ['PUT', '/settings', { mfaPolicy: { mode: 'OFF' }, bruteForce: { enabled: false } }],
  ['POST', '/keys/rotate'],
]

async function send(browser: Browser, [method, path, json]: Call): Promise<Answer> {
  const options = method === 'PATCH' ? { type: 'application/merge-patch+json' } : {}
  return realm.callAs(browser, method, path, json, options)
}

const permissionsOf = async (browser: Browser): Promise<string[]> =>
  (await realm.callAs(browser, 'GET', '/whoami')).body.permissions

/** What the roles that a user effectively has would give them. */
async function reachOf(roleIds: string[]): Promise<string[]> {
  const entries = (await realm.call('GET', '/admin-roles?size=1000')).body as {
    roleId: string
    permissions: string[]
  }[]
  return entries.filter(({ roleId }) => roleIds.includes(roleId)).flatMap(({ permissions }) => permissions)
}

async function effectiveRoles(userId: string): Promise<string[]> {
  const { body, status } = await realm.call('GET', `/users/${userId}/roles?effective=true&size=1000`)
  return status === 200 ? body.map((role: { roleId: string }) => role.roleId) : []
}

/** Whoever the caller can sign in as counts as the caller. */
async function signInAs(username: string, password: string): Promise<string[]> {
  const browser = createBrowser(realm.node.url)
  const login = await browser.login(realm.realmId, username, password)
  return login.status === 200 && login.body.userId ? permissionsOf(browser) : []
}

const singles = permissionKeys.filter((key) => key !== 'realm-admin').map((key) => [key])
const callers: [string, string[]][] = [
  ...singles,
  ['manage-users', 'manage-roles'],
  ['manage-realm', 'manage-events'],
].map((permissions) => [permissions.join(' and '), permissions])

describe('S8', () => {
  test.each(callers)('somebody with %s reaches nothing else', { timeout: 60_000 }, async (_text, permissions) => {
    const world = await openWorld(permissions)
    const { browser } = world.caller
    const held = new Set(await permissionsOf(browser))
    const seen = new Set<string>()
    // A route that is closed to the caller is closed whatever is sent: the matrix of permissions shows that for all of them.
    const closed = new Set<string>()
    const kindOf = ([method, path]: Call) => `${method} ${path.replaceAll(/[0-9a-f-]{36}/g, '{id}')}`
    const taken: string[] = []
    const takeovers = new Set([
      ...world.betters.flatMap(takeoverCalls),
      ...clientTakeoverCalls(world.chiefClientId),
      ...adminAudienceCalls(world),
    ])
    for (let fresh = true; fresh; ) {
      fresh = false
      const calls = [
        ...grantingCalls(world, await rolesByName(), permissions),
        ...takeovers,
        ...settingCalls,
        ['PUT', `/users/${world.puppetId}/password`, { newPassword: ownPassword, revokeSessions: false }] as Call,
      ].filter((call) => !seen.has(JSON.stringify(call)))
      for (const call of calls) {
        seen.add(JSON.stringify(call))
        if (closed.has(kindOf(call))) continue
        const answer = await send(browser, call)
        expect(answer.status, `${call[0]} ${call[1]}: ${answer.text}`).toBeLessThan(500)
        if (answer.body?.code === 'forbidden') closed.add(kindOf(call))
        fresh ||= answer.status < 300
        if (takeovers.has(call) && answer.status < 400) taken.push(`${call[0]} ${call[1]}`)
      }
    }
    expect(taken).toEqual([])
    const beyond = (found: string[]) => found.filter((key) => !held.has(key))
    expect(beyond(await permissionsOf(browser))).toEqual([])
    expect(beyond(await reachOf(await effectiveRoles(world.caller.userId)))).toEqual([])
    expect(beyond(await reachOf(await effectiveRoles(world.puppetId)))).toEqual([])
    expect(beyond(await reachOf(await effectiveRoles(world.plainClient.userId)))).toEqual([])
    expect(beyond(await signInAs('puppet', ownPassword))).toEqual([])
    // Whoever joins the realm from now on gets the default role, and through it no more than the caller had to give.
    const newcomer = (await realm.call('POST', '/users', { username: 'newcomer' })).body
    expect(beyond(await reachOf(await effectiveRoles(newcomer.userId)))).toEqual([])
    // Those who hold more are still there and still let in.
    expect((await createBrowser(realm.node.url).login(realm.realmId, 'admin', adminPassword)).status).toBe(200)
  })

  test('every write that could grant is tried', () => {
    const tried = /\/(roles|admin-roles|users|settings|keys|clients)(\/|$)/
    // Ends sessions, which gives nobody anything; the routes of the server need the system realm's administrator. What tokens say
    // to other services opens nothing here: permissions follow from roles, never from a claim. A flow decides what is asked, and one
    // that proves nothing is refused. Whoever may let applications register gets clients without roles and resources (S31). Whoever
    // sets up the mail provider can read the mails of the realm, links to new passwords among them: no call grants that, so it is
    // said in docs/operate/messages.md instead.
    const harmless =
      /\/(sessions|claims|client-scopes|subject-claim|flows?|messaging|provisioning)(\/|$)|^\/admin\/(audit|realms$|realms\/\{realm\}$)/
    const left = sweptRoutes.filter(
      ({ path, isWrite }) => isWrite && !tried.test(path.replace('/admin/realms/{realm}', '')) && !harmless.test(path),
    )
    expect(left.map(({ label }) => label)).toEqual([])
  })
})

describe('S9', () => {
  test.each(permissionKeys.filter((key) => key !== 'realm-admin'))(
    'manage-users resets a holder of %s only when holding it too',
    async (permission) => {
      const target = await signIn(realm, [permission], 'target')
      const lesser = await signIn(realm, ['manage-users'], 'lesser')
      const equal = await signIn(realm, ['manage-users', permission], 'equal')
      const may = ['manage-users', 'view-users'].includes(permission)
      for (const call of takeoverCalls(target.userId, 1)) {
        if (call[0] === 'DELETE') continue
        const answer = await send(lesser.browser, call)
        const outcome = answer.status < 300 ? 'done' : `${answer.status} ${answer.body.code}`
        expect(outcome, `${call[0]} ${call[1]}: ${answer.text}`).toBe(may ? 'done' : '403 escalation')
      }
      const reset = await send(equal.browser, [
        'PUT',
        `/users/${target.userId}/password`,
        { newPassword: 'another-orchid-granite-51' },
      ])
      expect(reset.status, reset.text).toBe(204)
      const events = await realm.events('&type=CREDENTIAL_RESET')
      expect(events[0]).toMatchObject({ category: 'SECURITY', actor: equal.userId, resourceId: target.userId })
    },
  )

  test('what somebody holds through a composite role counts as well', async () => {
    await realm.call('POST', '/roles', { name: 'inner', compositeRoleNames: ['auditor'] })
    await realm.call('POST', '/roles', { name: 'outer', compositeRoleNames: ['inner'] })
    const target = (await realm.call('POST', '/users', { username: 'target' })).body
    await realm.call('POST', `/users/${target.userId}/roles`, { name: 'outer' })
    const { browser } = await signIn(realm, ['manage-users'], 'lesser')
    const answer = await send(browser, ['PUT', `/users/${target.userId}/password`, { newPassword: stolenPassword }])
    expect([answer.status, answer.body.code]).toEqual([403, 'escalation'])
  })
})
