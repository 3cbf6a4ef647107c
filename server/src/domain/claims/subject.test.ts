import { describe, expect, test } from 'vitest'
import { type Person, resolveSubject, type SubjectChoice } from './index.ts'

const ada: Pick<Person, 'userId' | 'username' | 'email' | 'emailVerified' | 'attributes'> = {
  userId: '0190b6a0-0000-7000-8000-000000000001',
  username: 'ada',
  email: 'ada@example.org',
  emailVerified: true,
  attributes: { lastName: ['Lovelace', 'King'] },
}

describe('the subject', () => {
  const salt = Buffer.alloc(32, 7)
  const subject = (choice: Partial<SubjectChoice>, person: Partial<typeof ada> = {}, sector = 'app.example.org') =>
    resolveSubject(
      { strategy: 'USER_ID', attribute: null, pairwiseSalt: salt, ...choice },
      { ...ada, ...person },
      sector,
    )

  test('is the id, the username or an attribute, as the realm chose', () => {
    expect(subject({})).toBe(ada.userId)
    expect(subject({ strategy: 'USERNAME' })).toBe('ada')
    expect(subject({ strategy: 'ATTRIBUTE', attribute: 'lastName' })).toBe('Lovelace')
  })

  test('is nothing where the person has no such name, rather than another name', () => {
    expect(subject({ strategy: 'ATTRIBUTE', attribute: 'missing' })).toBeNull()
    expect(subject({ strategy: 'ATTRIBUTE', attribute: 'toString' })).toBeNull()
    expect(subject({ strategy: 'ATTRIBUTE' }, { attributes: { a: '' } })).toBeNull()
    expect(subject({ strategy: 'ATTRIBUTE', attribute: 'a' }, { attributes: { a: 'x'.repeat(256) } })).toBeNull()
    expect(subject({ strategy: 'PAIRWISE', pairwiseSalt: null })).toBeNull()
  })

  test('is an e-mail address only when it is verified', () => {
    expect(subject({ strategy: 'EMAIL' })).toBe('ada@example.org')
    expect(subject({ strategy: 'EMAIL' }, { emailVerified: false })).toBeNull()
    expect(subject({ strategy: 'EMAIL' }, { email: null })).toBeNull()
  })

  test('is the same within a sector and cannot be told together across sectors, people or realms', () => {
    const pairwise = { strategy: 'PAIRWISE' } as const
    const here = subject(pairwise)!
    expect(subject(pairwise)).toBe(here)
    expect(here).toMatch(/^[A-Za-z0-9_-]{43}$/)
    const others = [
      subject(pairwise, {}, 'other.example.org'),
      subject(pairwise, { userId: '0190b6a0-0000-7000-8000-000000000002' }),
      subject({ ...pairwise, pairwiseSalt: Buffer.alloc(32, 8) }),
    ]
    expect(new Set([here, ...others]).size).toBe(4)
  })
})
