// What the audit trail tells about a change of settings: the changed members, short enough to stay whole.
import { isDeepStrictEqual } from 'node:util'
import type { RealmSettings } from './schema.ts'

type Members = Record<string, unknown>

// A style sheet or a word list would fill the event; that and how much it changed is enough there.
const longestText = 512
const longestList = 20

/** The new values of changed members; null stands for a removed one. The secret itself is never in here. */
export function describeChanges(before: RealmSettings, after: RealmSettings, secretChanged: boolean): Members {
  const changes = compareMembers({ ...before }, { ...after })
  if (secretChanged) changes.captcha = { ...(changes.captcha as Members | undefined), secretChanged: true }
  return changes
}

function compareMembers(before: Members, after: Members): Members {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const changed = [...names].filter((name) => !isDeepStrictEqual(before[name], after[name]))
  return Object.fromEntries(
    changed.map((name) => {
      const [old, value] = [before[name], after[name]]
      return [name, isMembers(old) && isMembers(value) ? compareMembers(old, value) : shorten(value)]
    }),
  )
}

function shorten(value: unknown): unknown {
  if (typeof value === 'string' && value.length > longestText) return `${value.length} characters`
  if (Array.isArray(value) && value.length > longestList) return `${value.length} entries`
  return value ?? null
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
