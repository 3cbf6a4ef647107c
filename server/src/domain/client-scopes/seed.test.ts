import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRealmFor, startTestNode, type TestNode, type TestRealm } from '../../../test/harness/index.ts'
import { type Person, resolveClaims } from '../claims/index.ts'
import { currentSeedVersion } from '../context/index.ts'
import { subjectClaimSection } from '../settings/index.ts'
import { scopesSection } from './index.ts'

const names = async (realm: TestRealm, path: string): Promise<string[]> =>
  (await realm.call('GET', path)).body.map((entry: { name: string }) => entry.name)

const seedVersionOf = async ({ node, realmId }: TestRealm) =>
  await node.services.db
    .selectFrom('realms')
    .select(['seed_version', 'config_version'])
    .where('realm_id', '=', realmId)
    .executeTakeFirstOrThrow()

/** The realm as the first release left it; no node has it in memory. */
async function turnBack(realm: TestRealm, nodes: TestNode[]): Promise<void> {
  await realm.run(async ({ tx, realmId }) => {
    for (const table of ['client_scopes', 'claims'] as const) {
      await tx.deleteFrom(table).where('realm_id', '=', realmId).execute()
    }
    await tx
      .updateTable('realm_settings')
      .set({ settings: '{}', sealed: null })
      .where('realm_id', '=', realmId)
      .execute()
    await tx.updateTable('realms').set({ seed_version: 1 }).where('realm_id', '=', realmId).execute()
  })
  for (const node of nodes) node.services.snapshots.drop(realm.realmId)
}

describe('a new realm', () => {
  test('is seeded in few statements and marked with the current seed version', async () => {
    const realm = await createRealmFor()
    const { services } = realm.node
    expect((await seedVersionOf(realm)).seed_version).toBe(currentSeedVersion(services.contributions))
    expect(await names(realm, '/claims')).toContain('resource_access.{clientId}.roles')
    const snapshot = await services.snapshots.find(realm.realmId)
    expect((await snapshot!.section(subjectClaimSection)).pairwiseSalt).toHaveLength(32)
  })

  test('puts what OpenID Connect Core 5.4 names in the ID token and userinfo, and little in the access token', async () => {
    const realm = await createRealmFor()
    const scopes = await (await realm.node.services.snapshots.find(realm.realmId))!.section(scopesSection)
    const mappers = [...scopes.values()].flatMap((scope) => scope.claims)
    expect(resolveClaims(mappers, 'USERINFO', ada)).toEqual({
      ...aboutAda,
      roles: ['user'],
      groups: ['/staff'],
      organization: ada.organizations,
    })
    expect(resolveClaims(mappers, 'ID_TOKEN', ada)).toEqual(aboutAda)
    const forServices = {
      roles: ['user'],
      realm_access: { roles: ['user'] },
      resource_access: { shop: { roles: ['buyer'] } },
      groups: ['/staff'],
      organization: ada.organizations,
    }
    expect(resolveClaims(mappers, 'ACCESS_TOKEN', ada)).toEqual(forServices)
    expect(resolveClaims(mappers, 'INTROSPECTION', ada)).toEqual(forServices)
  })
})

describe('a realm of an earlier release', () => {
  let second: TestNode
  let realm: TestRealm
  let fresh: string[]
  beforeAll(async () => {
    realm = await createRealmFor()
    fresh = await names(realm, '/claims')
    const { databaseUrl, adminDatabaseUrl } = realm.node
    second = await startTestNode({ database: { url: databaseUrl, adminUrl: adminDatabaseUrl } })
  })
  afterAll(() => second.stop())

  test('gets what it lacks once, when two nodes load it at the same moment', async () => {
    const nodes = [realm.node, second]
    await turnBack(realm, nodes)
    const before = await seedVersionOf(realm)
    const loaded = await Promise.all(
      nodes.flatMap(({ services }) => Array.from({ length: 5 }, () => services.snapshots.find(realm.realmId))),
    )
    const sections = await Promise.all(loaded.map((snapshot) => snapshot!.section(scopesSection)))
    for (const section of sections) expect([...section.keys()]).toHaveLength(10)
    const ids = sections.map((section) => section.get('openid')!.scopeId)
    expect(new Set(ids).size).toBe(1)
    expect(await names(realm, '/claims')).toEqual(fresh)
    const after = await seedVersionOf(realm)
    expect(after.seed_version).toBe(currentSeedVersion(realm.node.services.contributions))
    // One of the two did it, in one transaction: the version went up once.
    expect(after.config_version).toBe(before.config_version + 1)
    const salts = await Promise.all(
      nodes.map(async ({ services }) =>
        (await (await services.snapshots.find(realm.realmId))!.section(subjectClaimSection)).pairwiseSalt?.toString(
          'hex',
        ),
      ),
    )
    expect(salts[0]).toMatch(/^[0-9a-f]{64}$/)
    expect(salts[1]).toBe(salts[0])
  })

  test('keeps what an administrator made under a standard name', async () => {
    await turnBack(realm, [])
    await realm.run(({ tx, realmId }) =>
      tx
        .insertInto('client_scopes')
        .values({
          realm_id: realmId,
          id: '0190b6a0-0000-7000-8000-000000000001',
          name: 'email',
          description: 'ours',
          created_at: 0,
        })
        .execute(),
    )
    await realm.run(({ tx, realmId }) =>
      tx
        .insertInto('claims')
        .values({
          realm_id: realmId,
          id: '0190b6a0-0000-7000-8000-000000000002',
          name: 'roles',
          claim: 'ours',
          source: 'GROUPS',
          created_at: 0,
        })
        .execute(),
    )
    realm.node.services.snapshots.drop(realm.realmId)
    const section = await (await realm.node.services.snapshots.find(realm.realmId))!.section(scopesSection)
    expect(section.get('email')).toMatchObject({ description: 'ours', claims: [] })
    expect(
      section
        .get('roles')!
        .claims.map(({ claim }) => claim)
        .toSorted(),
    ).toEqual(['ours', 'realm_access.roles', 'resource_access.{clientId}.roles'])
  })

  test('is not touched again, nor when it was deleted', async () => {
    const before = await seedVersionOf(realm)
    realm.node.services.snapshots.drop(realm.realmId)
    await realm.node.services.snapshots.find(realm.realmId)
    expect(await seedVersionOf(realm)).toEqual(before)
    await turnBack(realm, [realm.node])
    await realm.run(({ tx, realmId }) =>
      tx.updateTable('realms').set({ deleted_at: 1 }).where('realm_id', '=', realmId).execute(),
    )
    expect(await realm.node.services.snapshots.find(realm.realmId)).toBeNull()
    expect((await seedVersionOf(realm)).seed_version).toBe(1)
  })
})

const ada: Person = {
  userId: '0190b6a0-0000-7000-8000-000000000001',
  username: 'ada',
  email: 'ada@example.org',
  emailVerified: true,
  phone: '+44 20 7946 0000',
  phoneVerified: false,
  locale: 'en',
  attributes: {
    ...{ firstName: 'Ada', lastName: 'Lovelace', middle_name: 'King', nickname: 'Al', profile: 'https://a.example' },
    ...{ picture: 'https://a.example/p', website: 'https://a.example/w', gender: 'female', birthdate: '1815-12-10' },
    ...{ zoneinfo: 'Europe/London', street_address: '12 St James', locality: 'London', country: 'GB' },
    ...{ formatted: '12 St James, London', region: 'London', postal_code: 'SW1Y' },
  },
  createdAt: 1_700_000_000_000,
  updatedAt: 1_700_000_001_000,
  realmRoles: ['user'],
  clientRoles: [{ clientId: 'shop', name: 'buyer' }],
  groups: ['/staff'],
  organizations: { acme: { id: 'o1', roles: ['member'] } },
  session: null,
}

const { firstName: _first, lastName: _last, ...more } = ada.attributes
const { street_address, locality, country, formatted, region, postal_code, ...profile } = more
const aboutAda = {
  ...profile,
  name: 'Ada Lovelace',
  given_name: 'Ada',
  family_name: 'Lovelace',
  preferred_username: 'ada',
  locale: 'en',
  updated_at: 1_700_000_001,
  email: 'ada@example.org',
  email_verified: true,
  phone_number: '+44 20 7946 0000',
  phone_number_verified: false,
  address: { street_address, locality, country, formatted, region, postal_code },
}
