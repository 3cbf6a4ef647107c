import type { Claim } from './schema.ts'

/** What becomes of a value that does not fit its type: it is left out, for a token with a wrong value helps nobody. */
export function convertValue(value: unknown, type: Claim['type']): unknown {
  switch (type) {
    case 'STRING':
      return toText(value)
    case 'NUMBER':
      return toNumber(value)
    case 'BOOLEAN':
      return toBoolean(value)
    case 'JSON':
      return toJson(value)
  }
}

function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

function toNumber(value: unknown): number | undefined {
  if (typeof value === 'string' && !/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value)) return undefined
  const number = typeof value === 'string' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

function toBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  return value === 'true' ? true : value === 'false' ? false : undefined
}

/** A text is JSON to be read; everything else is copied, so that nobody changes what the realm keeps. */
function toJson(value: unknown): unknown {
  if (typeof value !== 'string') return value === null ? undefined : structuredClone(value)
  try {
    return JSON.parse(value, (key, inner: unknown) => (key === '__proto__' ? undefined : inner)) ?? undefined
  } catch {
    return undefined
  }
}
