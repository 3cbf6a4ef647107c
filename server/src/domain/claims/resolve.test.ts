import { describe, expect, test } from 'vitest'
import { type ClaimMapper, type ClaimTarget, needsRoles, type Person, resolveClaims, toClaimMapper } from './index.ts'

const ada: Person = {
  userId: '0190b6a0-0000-7000-8000-000000000001',
  username: 'ada',
  email: 'ada@example.org',
  emailVerified: true,
  phone: null,
  phoneVerified: false,
  locale: 'en',
  attributes: { firstName: 'Ada', lastName: ['Lovelace', 'King'], age: '36', wild: 'yes', team: ['a', 'b'] },
  createdAt: 1_700_000_000_500,
  updatedAt: 1_700_000_001_999,
  realmRoles: ['admin', 'user'],
  clientRoles: [
    { clientId: 'shop', name: 'buyer' },
    { clientId: 'shop', name: 'seller' },
    { clientId: 'https://api.example.org', name: 'reader' },
  ],
  groups: ['/staff'],
  organizations: { acme: { id: 'o1', roles: ['member'] } },
  session: { authTime: 1_700_000_000, acr: 'urn:gatehouse:acr:1', amr: ['pwd'], sid: 's1' },
}

const plain: ClaimMapper = {
  name: 'x',
  claim: 'x',
  source: 'ATTRIBUTE',
  sourceKey: null,
  value: null,
  type: 'STRING',
  multivalued: false,
  inIdToken: true,
  inAccessToken: true,
  inUserinfo: true,
  inIntrospection: true,
  inSaml: true,
}
const mapper = (members: Partial<ClaimMapper>): ClaimMapper => ({ ...plain, ...members })
const resolve = (...members: Partial<ClaimMapper>[]) => resolveClaims(members.map(mapper), 'ID_TOKEN', ada)

describe('a claim', () => {
  test('appears in the tokens its mapper names and in no other', () => {
    const flags: [ClaimTarget, keyof ClaimMapper][] = [
      ['ID_TOKEN', 'inIdToken'],
      ['ACCESS_TOKEN', 'inAccessToken'],
      ['USERINFO', 'inUserinfo'],
      ['INTROSPECTION', 'inIntrospection'],
      ['SAML', 'inSaml'],
    ]
    const none = Object.fromEntries(flags.map(([, flag]) => [flag, false]))
    for (const [, flag] of flags) {
      const only = mapper({ ...none, [flag]: true, source: 'PROPERTY', sourceKey: 'username' })
      const seen = flags.filter(([target]) => 'x' in resolveClaims([only], target, ada))
      expect(seen.map(([, name]) => name)).toEqual([flag])
    }
  })

  test.each([
    ['userId', ada.userId],
    ['username', 'ada'],
    ['fullName', 'Ada Lovelace'],
    ['email', 'ada@example.org'],
    ['emailVerified', 'true'],
    ['locale', 'en'],
    ['createdAt', '1700000000'],
    ['updatedAt', '1700000001'],
    ['phone', undefined],
    ['phoneVerified', undefined],
    ['passwordHash', undefined],
    ['toString', undefined],
  ])('reads the property %s', (sourceKey, value) => {
    expect(resolve({ source: 'PROPERTY', sourceKey }).x).toBe(value)
  })

  test('calls somebody without a name by their username', () => {
    const nameless = { ...ada, attributes: {} }
    const claims = resolveClaims([mapper({ source: 'PROPERTY', sourceKey: 'fullName' })], 'ID_TOKEN', nameless)
    expect(claims).toEqual({ x: 'ada' })
  })

  test.each([
    ['STRING', 'age', '36'],
    ['NUMBER', 'age', 36],
    ['JSON', 'age', 36],
    ['BOOLEAN', 'age', undefined],
    ['NUMBER', 'wild', undefined],
    ['BOOLEAN', 'wild', undefined],
    ['JSON', 'wild', undefined],
    ['STRING', 'missing', undefined],
    ['STRING', 'toString', undefined],
    ['STRING', '__proto__', undefined],
  ] as const)('of type %s from the attribute %s is right or left out', (type, sourceKey, value) => {
    expect(resolve({ type, sourceKey })).toEqual(value === undefined ? {} : { x: value })
  })

  test.each([
    ['NUMBER', '1e3', 1000],
    ['NUMBER', '0x10', undefined],
    ['NUMBER', '', undefined],
    ['NUMBER', '1e999', undefined],
    ['BOOLEAN', 'false', false],
    ['JSON', { a: [1] }, { a: [1] }],
    ['JSON', '{"a":1}', { a: 1 }],
    ['JSON', 'null', undefined],
    ['STRING', { a: 1 }, undefined],
  ] as const)('of type %s from the constant %s is converted', (type, value, expected) => {
    expect(resolve({ source: 'CONSTANT', type, value })).toEqual(expected === undefined ? {} : { x: expected })
  })

  test('takes the first value, or all of them as a list', () => {
    expect(resolve({ sourceKey: 'team' })).toEqual({ x: 'a' })
    expect(resolve({ sourceKey: 'team', multivalued: true })).toEqual({ x: ['a', 'b'] })
    expect(resolve({ sourceKey: 'age', multivalued: true })).toEqual({ x: ['36'] })
    expect(resolve({ source: 'REALM_ROLES', multivalued: true })).toEqual({ x: ['admin', 'user'] })
    expect(resolve({ source: 'GROUPS', multivalued: true })).toEqual({ x: ['/staff'] })
    expect(resolve({ source: 'CONSTANT', value: ['1', 'two'], type: 'NUMBER', multivalued: true })).toEqual({ x: [1] })
  })

  test('about organizations is an object by alias, or the aliases', () => {
    expect(resolve({ source: 'ORGANIZATION', type: 'JSON' })).toEqual({ x: ada.organizations })
    expect(resolve({ source: 'ORGANIZATION', multivalued: true })).toEqual({ x: ['acme'] })
    const alone = { ...ada, organizations: {} }
    expect(resolveClaims([mapper({ source: 'ORGANIZATION', type: 'JSON' })], 'ID_TOKEN', alone)).toEqual({})
  })

  test('about the session is left out where there is none', () => {
    const amr = mapper({ claim: 'amr', source: 'SESSION', sourceKey: 'amr', multivalued: true })
    expect(resolveClaims([amr], 'ID_TOKEN', ada)).toEqual({ amr: ['pwd'] })
    expect(resolveClaims([amr], 'ID_TOKEN', { ...ada, session: null })).toEqual({})
  })

  test('with dots is a member of a member; a URI and an escaped dot are one name', () => {
    expect(
      resolve(
        { claim: 'address.country', source: 'CONSTANT', value: 'GB' },
        { claim: 'address.locality', source: 'CONSTANT', value: 'London' },
        { claim: 'https://example.org/team', source: 'CONSTANT', value: 'a' },
        { claim: 'a\\.b', source: 'CONSTANT', value: 'c' },
      ),
    ).toEqual({ address: { country: 'GB', locality: 'London' }, 'https://example.org/team': 'a', 'a.b': 'c' })
  })

  test('that is no object gets no members, and a later mapper wins', () => {
    const first = { claim: 'a', source: 'CONSTANT', value: 'one' } as const
    expect(resolve(first, { claim: 'a.b', source: 'CONSTANT', value: 'two' })).toEqual({ a: 'one' })
    expect(resolve(first, { ...first, value: 'two' })).toEqual({ a: 'two' })
  })

  test('that is added to a constant object leaves the mapper as it was', () => {
    const value = { b: 1 }
    const claims = resolve(
      { claim: 'a', source: 'CONSTANT', type: 'JSON', value },
      { claim: 'a.c', source: 'CONSTANT', value: 'two' },
    )
    expect(claims).toEqual({ a: { b: 1, c: 'two' } })
    expect(value).toEqual({ b: 1 })
  })
})

describe('roles at clients', () => {
  test('fan out over the clients, whatever is in their names', () => {
    const fan = { claim: 'resource_access.{clientId}.roles', source: 'CLIENT_ROLES', multivalued: true } as const
    expect(resolve(fan)).toEqual({
      resource_access: { shop: { roles: ['buyer', 'seller'] }, 'https://api.example.org': { roles: ['reader'] } },
    })
    expect(resolve({ ...fan, sourceKey: 'shop' })).toEqual({
      resource_access: { shop: { roles: ['buyer', 'seller'] } },
    })
  })

  test('of one client are listed under a name without a placeholder', () => {
    const own = { source: 'CLIENT_ROLES', multivalued: true } as const
    expect(resolve({ ...own, sourceKey: 'shop' })).toEqual({ x: ['buyer', 'seller'] })
    expect(resolve(own)).toEqual({})
  })

  test('are looked up only when a mapper asks', () => {
    expect(needsRoles([mapper({}), mapper({ source: 'GROUPS' })])).toBe(false)
    expect(needsRoles([mapper({}), mapper({ source: 'REALM_ROLES' })])).toBe(true)
    expect(needsRoles([mapper({ source: 'CLIENT_ROLES' })])).toBe(true)
  })
})

describe('what no mapper may do', () => {
  const reserved = ['iss', 'sub', 'aud', 'exp', 'iat', 'nbf', 'jti', 'azp', 'client_id', 'act', 'nhi', 'cnf', 'scope']

  test.each([...reserved, 'nonce', 'at_hash', 'gid', 'uic', 'offline', 'xch', 'act.sub', 'cnf.jkt'])(
    'set %s',
    (claim) => {
      expect(resolve({ claim, source: 'CONSTANT', value: 'mallory' })).toEqual({})
      const own = toClaimMapper({
        name: claim,
        protocol: 'oidc',
        type: 'CONSTANT',
        config: { claim, value: 'mallory' },
      })
      expect(resolveClaims([own!], 'ACCESS_TOKEN', ada)).toEqual({})
    },
  )

  test('say how somebody signed in, unless it is the session that says it', () => {
    expect(resolve({ claim: 'acr', source: 'CONSTANT', value: 'high' })).toEqual({})
    expect(resolve({ claim: 'acr', source: 'SESSION', sourceKey: 'acr' })).toEqual({ acr: ada.session!.acr })
  })

  test.each(['__proto__.polluted', 'constructor.prototype.polluted', 'a.__proto__.polluted', 'a.constructor', 'a..b'])(
    'reach a prototype through %s',
    (claim) => {
      const claims = resolve(
        { claim: 'a.ok', source: 'CONSTANT', value: '1' },
        { claim, source: 'CONSTANT', value: '1' },
      )
      expect(claims).toEqual({ a: { ok: '1' } })
      expect(({} as { polluted?: string }).polluted).toBeUndefined()
      expect((Object as unknown as { polluted?: string }).polluted).toBeUndefined()
    },
  )

  test('reach a prototype through the name of a client or a JSON value', () => {
    const person = { ...ada, clientRoles: [{ clientId: '__proto__', name: 'polluted' }] }
    const fan = mapper({ claim: 'r.{clientId}.polluted', source: 'CLIENT_ROLES', multivalued: true })
    expect(Object.keys(resolveClaims([fan], 'ID_TOKEN', person))).toEqual([])
    const json = resolve({ source: 'CONSTANT', type: 'JSON', value: '{"__proto__":{"polluted":true},"a":1}' })
    expect(json).toEqual({ x: { a: 1 } })
    expect(Object.hasOwn(json.x as object, '__proto__')).toBe(false)
    expect(({} as { polluted?: string }).polluted).toBeUndefined()
  })
})

describe('a client’s own mapper', () => {
  test('has the defaults of a claim mapper and its name as claim', () => {
    expect(toClaimMapper({ name: 'team', protocol: 'oidc', type: 'ATTRIBUTE', config: { sourceKey: 'team' } })).toEqual(
      {
        ...plain,
        name: 'team',
        claim: 'team',
        sourceKey: 'team',
        inSaml: false,
      },
    )
  })

  test('reads flags that are written as text and survives what makes no sense', () => {
    const config = { claim: 5, multivalued: 'true', inIdToken: 'false', type: 'DATE', inUserinfo: 7 }
    const mapped = toClaimMapper({ name: 'n', protocol: 'oidc', type: 'GROUPS', config })
    expect(mapped).toMatchObject({ claim: 'n', multivalued: true, inIdToken: false, type: 'STRING', inUserinfo: true })
    expect(toClaimMapper({ name: 'n', protocol: 'oidc', type: 'GROUPS', config: null })).toMatchObject({ claim: 'n' })
    expect(toClaimMapper({ name: 'n', protocol: 'oidc', type: 'SCRIPT', config: {} })).toBeNull()
  })

  test('of SAML is in assertions alone', () => {
    const mapped = toClaimMapper({ name: 'n', protocol: 'saml', type: 'GROUPS', config: { inIdToken: true } })
    expect(mapped).toMatchObject({ inSaml: true, inIdToken: false, inAccessToken: false, inUserinfo: false })
  })
})
