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

/** One rule of a policy by the name of its setting; pages put it into words in the reader’s language. */
export interface PasswordRule {
  code: string
  /** The number the rule is about; null where it is about none. */
  value: number | null
}

const counted = ['minLength', 'maxLength', ...classes.map(({ member }) => member)] as const

/** The rules a person should know before choosing a password, in the order they are best read. */
export function describePolicy(policy: PasswordPolicy): PasswordRule[] {
  const rules: PasswordRule[] = []
  for (const code of counted) if (policy[code] > 0) rules.push({ code, value: policy[code] })
  if (policy.notUsername) rules.push({ code: 'notUsername', value: null })
  if (policy.notEmail) rules.push({ code: 'notEmail', value: null })
  if (policy.denylist.length > 0) rules.push({ code: 'denylist', value: null })
  if (policy.historyCount > 0) rules.push({ code: 'historyCount', value: policy.historyCount })
  if (policy.breachCheck === 'REJECT') rules.push({ code: 'breachCheck', value: null })
  if (policy.maxAgeDays > 0) rules.push({ code: 'maxAgeDays', value: policy.maxAgeDays })
  return rules
}
