import { describe, expect, it } from 'vitest'
import { normalisePassword } from './normalise.ts'
import { describePolicy, findBrokenRules } from './rules.ts'
import { PasswordPolicy } from './schema.ts'

const policyOf = (members: Partial<PasswordPolicy> = {}) => PasswordPolicy.parse(members)
const broken = (password: string, members: Partial<PasswordPolicy> = {}, owner = {}) =>
  findBrokenRules(policyOf(members), password, owner)

describe('password policy', () => {
  it('has the defaults of contract 2.65', () => {
    expect(PasswordPolicy.parse({})).toEqual({
      minLength: 12,
      maxLength: 128,
      minLowercase: 0,
      minUppercase: 0,
      minDigits: 0,
      minSpecial: 0,
      notUsername: true,
      notEmail: true,
      historyCount: 5,
      maxAgeDays: 0,
      breachCheck: 'REJECT',
      breachSource: 'BUILTIN',
      denylist: [],
      hashMemoryKib: 19_456,
      hashIterations: 2,
      hashParallelism: 1,
    })
  })

  it('S43 refuses a policy below 8, one that forbids 64 characters, and one that lowers the cost of hashing', () => {
    const refused: Record<string, unknown>[] = [
      { minLength: 7 },
      { minLength: 65 },
      { maxLength: 63 },
      { maxLength: 257 },
      { minDigits: -1 },
      { minSpecial: 17 },
      { historyCount: 25 },
      { breachCheck: 'MAYBE' },
      { breachSource: 'HTTP' },
      { denylist: [''] },
      { hashMemoryKib: 19_455 },
      { hashMemoryKib: 262_145 },
      { hashIterations: 1 },
      { hashIterations: 11 },
      { hashParallelism: 0 },
      { minLength: 8.5 },
      { minimumLength: 8 },
    ]
    for (const members of refused)
      expect(`${JSON.stringify(members)} ${PasswordPolicy.safeParse(members).success}`).toBe(
        `${JSON.stringify(members)} false`,
      )
    expect(PasswordPolicy.safeParse({ minLength: 8, maxLength: 64, hashMemoryKib: 65_536 }).success).toBe(true)
  })

  it('S43 counts characters, not bytes, and allows any Unicode', () => {
    expect(broken('🔐'.repeat(11))).toEqual(['The password must be at least 12 characters long.'])
    expect(broken('🔐'.repeat(12))).toEqual([])
    expect(broken('correct horse battery staple')).toEqual([])
    expect(broken('密码密码密码密码密码密码')).toEqual([])
    expect(broken('x'.repeat(128))).toEqual([])
    expect(broken('x'.repeat(129))).toEqual(['The password must be at most 128 characters long.'])
    expect(broken('🔐'.repeat(256), { maxLength: 256 })).toEqual([])
  })

  it('S43 counts and compares in NFC', () => {
    const decomposed = 'e\u0301'.repeat(11)
    expect(broken(decomposed)).toEqual(['The password must be at least 12 characters long.'])
    expect(normalisePassword(decomposed)).toBe('é'.repeat(11))
  })

  it('refuses what cannot be hashed, without looking at it further', () => {
    expect(normalisePassword('x'.repeat(1024))).toHaveLength(1024)
    expect(normalisePassword('x'.repeat(1025))).toBeNull()
    expect(normalisePassword('half a pair \ud83d here')).toBeNull()
    expect(broken('x'.repeat(5_000_000))).toHaveLength(1)
    expect(broken('half a pair \ud83d here')).toEqual(['The password holds a character that is not valid.'])
  })

  it('gathers every rule that is broken at once', () => {
    const policy = { minLowercase: 1, minUppercase: 2, minDigits: 1, minSpecial: 1, denylist: ['acme'] }
    expect(broken('ACME', policy, { username: 'acme', email: 'acme@example.org' })).toEqual([
      'The password must be at least 12 characters long.',
      'The password must have at least 1 lower-case letter.',
      'The password must have at least 1 digit.',
      'The password must have at least 1 special character.',
      'The password must not contain the username.',
      'The password must not contain the email address.',
      'The password must not contain a word that is forbidden here.',
    ])
    expect(broken('long enough Ünd 3 Words', policy)).toEqual([])
  })

  it('S43 refuses the username, the email address and forbidden words anywhere, in any case', () => {
    const owner = { username: 'Alice', email: 'alice.smith@example.org' }
    expect(broken('my-ALICE-password', {}, owner)).toEqual(['The password must not contain the username.'])
    expect(broken('ＡＬＩＣＥ in wide letters', {}, owner)).toEqual(['The password must not contain the username.'])
    expect(broken('this is ALICE.SMITH!', { notUsername: false }, owner)).toEqual([
      'The password must not contain the email address.',
    ])
    expect(broken('my-ALICE-password', { notUsername: false, notEmail: false }, owner)).toEqual([])
    expect(broken('we love Gatehouse a lot', { denylist: ['gateHOUSE'] })).toHaveLength(1)
    expect(broken('nothing in common', {}, { username: 'al', email: 'al@x.org' })).toEqual([])
    expect(broken('nothing in common', {}, { username: null, email: undefined })).toEqual([])
  })

  it('describes every rule by the name of its setting', () => {
    const list = (members?: Parameters<typeof policyOf>[0]) =>
      describePolicy(policyOf(members)).map(({ code, value }) => (value === null ? code : `${code} ${value}`))
    expect(list()).toEqual([
      'minLength 12',
      'maxLength 128',
      'notUsername',
      'notEmail',
      'historyCount 5',
      'breachCheck',
    ])
    const strict = { minDigits: 2, minUppercase: 1, historyCount: 1, maxAgeDays: 90, denylist: ['x'] }
    expect(list({ ...strict, breachCheck: 'OFF', notEmail: false })).toEqual([
      'minLength 12',
      'maxLength 128',
      'minUppercase 1',
      'minDigits 2',
      'notUsername',
      'denylist',
      'historyCount 1',
      'maxAgeDays 90',
    ])
  })
})
