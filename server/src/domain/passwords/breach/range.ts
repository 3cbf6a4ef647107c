import { createHash } from 'node:crypto'

/** The first five digits of the SHA-1, which is all that leaves the process, and the rest, which is compared here. */
export interface RangeKey {
  prefix: string
  suffix: string
}

/** SHA-1 because the public format is keyed by it; it protects nothing here. */
export function rangeKeyOf(password: string): RangeKey {
  const digest = createHash('sha1').update(password, 'utf8').digest('hex').toUpperCase()
  return { prefix: digest.slice(0, 5), suffix: digest.slice(5) }
}

const line = /^([0-9A-F]{35}):(\d+)[^\S\n]*$/gim

/**
 * Looks for the suffix in `SUFFIX:COUNT` lines; a count of 0 is padding and no find. null when the text has no such
 * line at all: an error page must not pass for "not found".
 */
export function findInRange(text: string, suffix: string): boolean | null {
  let hasLines = false
  for (const [, candidate = '', count = ''] of text.matchAll(line)) {
    hasLines = true
    if (candidate.toUpperCase() === suffix) return !/^0+$/.test(count)
  }
  return hasLines ? false : null
}
