/** Whether a JWT says of itself that it is one of these kinds, or nothing at all (RFC 8725 section 3.11). */
export function hasType(header: { typ?: unknown }, ...kinds: string[]): boolean {
  const { typ } = header
  if (typ === undefined) return true
  const name = typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : null
  return name !== null && ['jwt', ...kinds].includes(name)
}
