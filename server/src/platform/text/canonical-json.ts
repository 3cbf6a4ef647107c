// One value, one text: the JSON Canonicalization Scheme, so that a hash over a document can be recomputed anywhere.

/**
 * The canonical text of a JSON value (RFC 8785). Numbers and texts are written as ECMAScript writes them; the names of
 * an object are sorted by UTF-16 code units. A value that JSON cannot carry is refused, because leaving it out, as
 * JSON.stringify does, would give two different values one hash.
 */
export function canonicalJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      if (!value.isWellFormed()) {
        throw new TypeError('Half a character has no canonical form.')
      }
      return JSON.stringify(value)
    case 'number':
      if (!Number.isFinite(value)) {
        throw new TypeError('Only finite numbers have a canonical form.')
      }
      return JSON.stringify(value)
    case 'boolean':
      return String(value)
    case 'object':
      return value === null ? 'null' : canonicalContainer(value)
    default:
      throw new TypeError(`A ${typeof value} has no canonical form.`)
  }
}

function canonicalContainer(value: object): string {
  if (Array.isArray(value)) {
    return `[${value.map((entry: unknown) => canonicalJson(entry)).join(',')}]`
  }
  const members = Object.entries(value)
    .toSorted(([left], [right]) => compareCodeUnits(left, right))
    .map(([name, entry]) => `${canonicalJson(name)}:${canonicalJson(entry)}`)
  return `{${members.join(',')}}`
}

/** The order that RFC 8785 asks for is the one by which ECMAScript compares texts; a locale plays no part. */
function compareCodeUnits(left: string, right: string): number {
  return left < right ? -1 : 1
}
