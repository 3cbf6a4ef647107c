// Texts: folding of names, so that look-ups do not depend on case, and words of strangers made fit to be shown.
// Unicode NFKC and case folding; contract 2.35.
// Called for usernames, e-mail addresses and search terms, on every text that comes in, and where people read such words.
export { canonicalJson } from './canonical-json.ts'
export { cleanText } from './clean-text.ts'
export { type Agent, readAgent } from './read-agent.ts'

/** Upper and then lower case: that joins what lower case alone keeps apart, such as ß and ss. */
export function foldName(text: string): string {
  return text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC').trim()
}

/** The first text after every text that starts with the prefix, in byte order. */
export function prefixEnd(prefix: string): string {
  return `${prefix}\u{10ffff}`
}

export function truncate(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`
}

/** False for text that PostgreSQL cannot hold: NUL, and halves of a character that was cut in two. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}
