import { foldCase, maxPasswordBytes, normalisePassword } from './normalise.ts'
import type { PasswordPolicy } from './schema.ts'

export interface PasswordOwner {
  username?: string | null | undefined
  email?: string | null | undefined
}

/** A username of one or two letters is inside most passwords by chance. */
const minWordLength = 3

const classes = [
  { member: 'minLowercase', pattern: /\p{Ll}/gu, one: 'lower-case letter', many: 'lower-case letters' },
  { member: 'minUppercase', pattern: /\p{Lu}/gu, one: 'upper-case letter', many: 'upper-case letters' },
  { member: 'minDigits', pattern: /\p{Nd}/gu, one: 'digit', many: 'digits' },
  { member: 'minSpecial', pattern: /[^\p{L}\p{N}\p{M}]/gu, one: 'special character', many: 'special characters' },
] as const

/** People count characters, not the units of an encoding. */
function countCharacters(text: string): number {
  return [...text].length
}

function containsWord(foldedPassword: string, word: string): boolean {
  const folded = foldCase(word)
  return countCharacters(folded) < minWordLength ? foldedPassword === folded : foldedPassword.includes(folded)
}

/** Every rule that is broken, each as a sentence; the password itself is never quoted. */
export function findBrokenRules(policy: PasswordPolicy, password: string, owner: PasswordOwner): string[] {
  const normalised = normalisePassword(password)
  if (normalised === null) {
    return [
      password.isWellFormed()
        ? `The password must be at most ${policy.maxLength} characters and ${maxPasswordBytes} bytes long.`
        : 'The password holds a character that is not valid.',
    ]
  }
  const broken: string[] = []
  const length = countCharacters(normalised)
  if (length < policy.minLength) broken.push(`The password must be at least ${policy.minLength} characters long.`)
  if (length > policy.maxLength) broken.push(`The password must be at most ${policy.maxLength} characters long.`)
  for (const { member, pattern, one, many } of classes) {
    const wanted = policy[member]
    if ((normalised.match(pattern)?.length ?? 0) < wanted) {
      broken.push(`The password must have at least ${wanted} ${wanted === 1 ? one : many}.`)
    }
  }
  return [...broken, ...findForbiddenWords(policy, foldCase(normalised), owner)]
}

function findForbiddenWords(
  policy: PasswordPolicy,
  foldedPassword: string,
  { username, email }: PasswordOwner,
): string[] {
  const broken: string[] = []
  if (policy.notUsername && username && containsWord(foldedPassword, username)) {
    broken.push('The password must not contain the username.')
  }
  if (policy.notEmail && email) {
    const localPart = email.slice(0, Math.max(0, email.lastIndexOf('@')))
    if (containsWord(foldedPassword, email) || (localPart !== '' && containsWord(foldedPassword, localPart))) {
      broken.push('The password must not contain the email address.')
    }
  }
  if (policy.denylist.some((word) => containsWord(foldedPassword, word))) {
    broken.push('The password must not contain a word that is forbidden here.')
  }
  return broken
}

/** The rules as a person reads them before choosing a password. */
export function describePolicy(policy: PasswordPolicy): string[] {
  const rules = [`At least ${policy.minLength} characters, at most ${policy.maxLength}.`]
  for (const { member, one, many } of classes) {
    const wanted = policy[member]
    if (wanted > 0) rules.push(`At least ${wanted} ${wanted === 1 ? one : many}.`)
  }
  if (policy.notUsername) rules.push('Does not contain your username.')
  if (policy.notEmail) rules.push('Does not contain your email address.')
  if (policy.denylist.length > 0) rules.push('Does not contain a word that is forbidden here.')
  if (policy.historyCount === 1) rules.push('Is not your last password.')
  if (policy.historyCount > 1) rules.push(`Is none of your last ${policy.historyCount} passwords.`)
  if (policy.breachCheck === 'REJECT') rules.push('Is not in a list of publicly known passwords.')
  if (policy.maxAgeDays > 0)
    rules.push(`Must be changed after ${policy.maxAgeDays} ${policy.maxAgeDays === 1 ? 'day' : 'days'}.`)
  return rules
}
