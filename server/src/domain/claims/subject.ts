import { createHmac } from 'node:crypto'
import type { Person } from './mapper.ts'
import { firstAttribute } from './sources.ts'

export const subjectStrategies = ['USER_ID', 'USERNAME', 'EMAIL', 'ATTRIBUTE', 'PAIRWISE'] as const
export type SubjectStrategy = (typeof subjectStrategies)[number]

export interface SubjectChoice {
  strategy: SubjectStrategy
  attribute: string | null
  /** The realm's own secret, so that nobody else can work out a pairwise subject. */
  pairwiseSalt: Buffer | null
}

// OpenID Connect Core 2: no `sub` is longer.
const maxLength = 255

/**
 * What a person is called in the tokens of a client (`sub`). `sector` is the host that clients of one pairwise group share.
 * Null when the person has no such name: then no token may be made, least of all under another name.
 */
export function resolveSubject(
  choice: SubjectChoice,
  person: Pick<Person, 'userId' | 'username' | 'email' | 'emailVerified' | 'attributes'>,
  sector: string,
): string | null {
  const subject = readSubject(choice, person, sector)
  return subject !== null && subject.length > 0 && subject.length <= maxLength ? subject : null
}

function readSubject(
  { strategy, attribute, pairwiseSalt }: SubjectChoice,
  person: Pick<Person, 'userId' | 'username' | 'email' | 'emailVerified' | 'attributes'>,
  sector: string,
): string | null {
  switch (strategy) {
    case 'USER_ID':
      return person.userId
    case 'USERNAME':
      return person.username
    case 'EMAIL':
      // Anybody could claim an address that was never proved.
      return person.emailVerified ? person.email : null
    case 'ATTRIBUTE':
      return firstAttribute(person, attribute)
    case 'PAIRWISE':
      // OpenID Connect Core 8.1. The separator keeps two pairs from being one text.
      return pairwiseSalt
        ? createHmac('sha256', pairwiseSalt).update(`${sector}\0${person.userId}`).digest('base64url')
        : null
  }
}
