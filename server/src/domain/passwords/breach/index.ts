// Whether a password is publicly known: the built-in list always, and a range source if the policy names one.
// Contract 2.65, security rule S43; range sources speak the public k-anonymity format of SHA-1 prefixes.
// Called by domain/passwords only.
import type { Egress } from '../../../platform/egress/index.ts'
import type { PasswordPolicy } from '../schema.ts'
import { isCommonPassword } from './common-list.ts'
import { rangeKeyOf } from './range.ts'
import { askRangeDirectory } from './range-directory.ts'
import { askRangeServer } from './range-server.ts'

export interface BreachSources {
  egress: Egress
  /** GATEHOUSE_BREACH_DIR */
  breachDir: string | null
  /** GATEHOUSE_BREACH_URL */
  breachUrl: string | null
}

export interface BreachVerdict {
  isBreached: boolean
  /** The source that the policy names could not be asked; the caller reports it. */
  isUnavailable: boolean
}

/** The password comes normalised. Range sources are asked for it exactly as it is, since they count real uses. */
export async function findBreach(
  sources: BreachSources,
  source: PasswordPolicy['breachSource'],
  password: string,
): Promise<BreachVerdict> {
  if (await isCommonPassword(password)) return { isBreached: true, isUnavailable: false }
  if (source === 'BUILTIN') return { isBreached: false, isUnavailable: false }
  const answer = await askSource(sources, source, password)
  return { isBreached: answer === true, isUnavailable: answer === null }
}

async function askSource(
  { egress, breachDir, breachUrl }: BreachSources,
  source: 'HIBP_RANGE' | 'FILE',
  password: string,
): Promise<boolean | null> {
  const key = rangeKeyOf(password)
  if (source === 'FILE') return breachDir === null ? null : await askRangeDirectory(breachDir, key)
  return breachUrl === null ? null : await askRangeServer(egress, breachUrl, key)
}
