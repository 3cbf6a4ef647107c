import { afterAll, describe, expect, it } from 'vitest'
import { createEgress } from '../../platform/egress/index.ts'
import { DomainError } from '../../platform/errors/index.ts'
import { createLane } from '../../platform/lanes/index.ts'
import { createPasswords, defaultCost, isPasswordHash, needsRehash, PasswordPolicy } from './index.ts'

const egress = createEgress({ allow: [] })
const wideLane = createLane({ name: 'passwords', width: 2, queue: 100, retryAfterSeconds: 1 })
const passwords = createPasswords({ lane: wideLane, egress, breachDir: null, breachUrl: null })
const policy = PasswordPolicy.parse({})
const good = 'correct horse battery staple'

afterAll(() => egress.close())

describe('password hashing', () => {
  it('writes Argon2id PHC strings with the cost of the policy and never below the floor', async () => {
    expect(await passwords.hash(good)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    const raised = { hashMemoryKib: 32_768, hashIterations: 3, hashParallelism: 2 }
    expect(await passwords.hash(good, raised)).toContain('$m=32768,t=3,p=2$')
    const lowered = { hashMemoryKib: 8, hashIterations: 1, hashParallelism: 1 }
    expect(await passwords.hash(good, lowered)).toContain('$m=19456,t=2,p=1$')
    expect(await passwords.hash(good)).not.toBe(await passwords.hash(good))
  })

  it('verifies the right password and no other', async () => {
    const phc = await passwords.hash(good)
    expect(await passwords.verify(phc, good)).toEqual({ ok: true, rehash: false })
    expect(await passwords.verify(phc, `${good} `)).toEqual({ ok: false, rehash: false })
    expect(await passwords.verify(null, good)).toEqual({ ok: false, rehash: false })
    for (const rubbish of ['', 'plain', '$2b$10$abcdefghijklmnopqrstuv', '$argon2id$v=19$m=19456,t=2,p=1$$']) {
      expect(await passwords.verify(rubbish, good)).toEqual({ ok: false, rehash: false })
    }
  })

  it('S43 takes composed and decomposed spelling for the same password and cuts nothing off', async () => {
    const phc = await passwords.hash('cre\u0300me bru\u0302le\u0301e please')
    expect((await passwords.verify(phc, 'crème brûlée please')).ok).toBe(true)
    const long = await passwords.hash('x'.repeat(1024))
    expect((await passwords.verify(long, 'x'.repeat(1024))).ok).toBe(true)
    expect((await passwords.verify(long, 'x'.repeat(1023))).ok).toBe(false)
    expect((await passwords.verify(long, 'x'.repeat(1025))).ok).toBe(false)
    await expect(passwords.hash('x'.repeat(1025))).rejects.toMatchObject({ code: 'password_policy' })
  })

  it('S43 asks for a new hash at sign-in when the policy was raised, and not when it was lowered', async () => {
    const phc = await passwords.hash(good)
    const raised = { ...defaultCost, hashIterations: 3 }
    expect(await passwords.verify(phc, good, raised)).toEqual({ ok: true, rehash: true })
    expect(await passwords.verify(phc, 'wrong', raised)).toEqual({ ok: false, rehash: false })
    const strong = await passwords.hash(good, raised)
    expect(await passwords.verify(strong, good)).toEqual({ ok: true, rehash: false })
    expect(needsRehash(phc, { ...defaultCost, hashMemoryKib: 20_000 })).toBe(true)
    expect(needsRehash('rubbish', defaultCost)).toBe(true)
  })

  it('refuses to compute a stored hash that costs more than any policy allows', async () => {
    const phc = await passwords.hash(good)
    expect(isPasswordHash(phc)).toBe(true)
    for (const cost of ['m=4194304,t=2,p=1', 'm=19456,t=4000000,p=1', 'm=19456,t=2,p=200']) {
      const bomb = phc.replace('m=19456,t=2,p=1', cost)
      expect(isPasswordHash(bomb)).toBe(false)
      const started = performance.now()
      expect((await passwords.verify(bomb, good)).ok).toBe(false)
      expect(performance.now() - started).toBeLessThan(2000)
    }
    expect(isPasswordHash(phc.replace('argon2id', 'argon2i'))).toBe(false)
  })

  it('S42 spends the same time on an unknown user as on a wrong password', async () => {
    const phc = await passwords.hash(good)
    const time = async (stored: string | null) => {
      const started = performance.now()
      await passwords.verify(stored, 'a wrong password')
      return performance.now() - started
    }
    await time(phc)
    await time(null)
    const known: number[] = []
    const unknown: number[] = []
    for (let round = 0; round < 40; round += 1) {
      known.push(await time(phc))
      unknown.push(await time(null))
    }
    const median = (values: number[]) => values.sort((a, b) => a - b)[values.length / 2] ?? 0
    // Forty rounds on shared cores wobble; without the dummy work the ratio would be a hundred.
    expect(median(unknown) / median(known)).toBeGreaterThan(0.7)
    expect(median(unknown) / median(known)).toBeLessThan(1.4)
  })

  it('hashes in the lane, and is refused when the lane is full', async () => {
    const lane = createLane({ name: 'passwords', width: 1, queue: 0, retryAfterSeconds: 3 })
    const narrow = createPasswords({ lane, egress, breachDir: null, breachUrl: null })
    const phc = await passwords.hash(good)
    const first = narrow.hash(good)
    const refused = [
      narrow.hash(good),
      narrow.verify(phc, good),
      narrow.verify(null, good),
      narrow.checkPassword(policy, { password: good, history: [phc] }),
    ]
    for (const result of await Promise.allSettled(refused)) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'unavailable', retryAfterSeconds: 3 } })
      expect((result as PromiseRejectedResult).reason).toBeInstanceOf(DomainError)
    }
    await first
    expect(lane.stats()).toEqual({ active: 0, waiting: 0, refused: 4 })
  })
})

describe('checkPassword', () => {
  it('accepts a good password', async () => {
    expect(
      await passwords.checkPassword(policy, { password: good, username: 'alice', email: 'a@example.org' }),
    ).toEqual({
      errors: [],
      warnings: [],
      breachUnavailable: false,
    })
  })

  it('gathers policy, history and breach at once', async () => {
    const history = [await passwords.hash('something else'), await passwords.hash('Password1')]
    const { errors } = await passwords.checkPassword(policy, { password: 'Password1', username: 'password', history })
    expect(errors.map(({ code }) => code)).toEqual([
      'password_policy',
      'password_policy',
      'password_history',
      'password_breached',
    ])
    for (const { message } of errors) expect(message).not.toContain('Password1')
  })

  it('looks back as far as the policy says and no further', async () => {
    const history = [await passwords.hash('the newest one'), await passwords.hash(good)]
    const codes = async (historyCount: number) =>
      (await passwords.checkPassword({ ...policy, historyCount }, { password: good, history })).errors.map(
        ({ code }) => code,
      )
    expect(await codes(2)).toEqual(['password_history'])
    expect(await codes(1)).toEqual([])
    expect(await codes(0)).toEqual([])
  })

  it('rejects, warns or keeps silent about a publicly known password as the policy says', async () => {
    const check = (breachCheck: 'REJECT' | 'WARN' | 'OFF') =>
      passwords.checkPassword({ ...policy, minLength: 8, breachCheck }, { password: 'password1' })
    expect((await check('REJECT')).errors.map(({ code }) => code)).toEqual(['password_breached'])
    const warned = await check('WARN')
    expect(warned.errors).toEqual([])
    expect(warned.warnings.map(({ code }) => code)).toEqual(['password_breached'])
    expect(await check('OFF')).toEqual({ errors: [], warnings: [], breachUnavailable: false })
  })

  it('allows and reports when the breach source of the policy cannot be asked', async () => {
    for (const breachSource of ['HIBP_RANGE', 'FILE'] as const) {
      expect(await passwords.checkPassword({ ...policy, breachSource }, { password: good })).toEqual({
        errors: [],
        warnings: [],
        breachUnavailable: true,
      })
    }
  })

  it('refuses an endless password at once, without hashing it', async () => {
    const history = [await passwords.hash(good)]
    const started = performance.now()
    const { errors } = await passwords.checkPassword(policy, { password: 'x'.repeat(10_000_000), history })
    expect(errors.map(({ code }) => code)).toEqual(['password_policy'])
    expect(performance.now() - started).toBeLessThan(200)
  })
})
