// How settings are stored (only what differs from the default), read (defaults filled in) and changed (merged).
import { isDeepStrictEqual } from 'node:util'
import { defaultSettings, type RealmSettings, type SettingsChange } from './schema.ts'

type Members = Record<string, unknown>

const defaults: Members = { ...defaultSettings }
/** Kept in the realm's own row. */
const realmMembers = new Set(['displayName', 'enabled'])
/** Derived from the sealed column, never part of the stored object. */
const secretMembers = ['secret', 'secretSet']

export interface StoredSettings {
  realmId: string
  displayName: string | null
  enabled: boolean
  settings: unknown
  hasSecret: boolean
}

/** Every member, by its stored value or else its default. Members of an older release that are no more are left out. */
export function resolveSettings(stored: StoredSettings): RealmSettings {
  const kept = isMembers(stored.settings) ? stored.settings : {}
  const resolved: Members = { realmId: stored.realmId }
  for (const [name, fallback] of Object.entries(defaults)) {
    const value = kept[name]
    if (isMembers(fallback)) resolved[name] = isMembers(value) ? { ...fallback, ...value } : fallback
    else resolved[name] = value === undefined ? fallback : value
  }
  const settings = resolved as RealmSettings
  return {
    ...settings,
    displayName: stored.displayName,
    enabled: stored.enabled,
    captcha: { ...settings.captcha, secret: null, secretSet: stored.hasSecret },
  }
}

/** The members that differ from their defaults: a later release may then change a default for every realm that never chose. */
export function compactSettings(settings: RealmSettings): Members {
  const compact: Members = {}
  for (const [name, fallback] of Object.entries(defaults)) {
    if (realmMembers.has(name)) continue
    const value = (settings as Members)[name]
    if (!isMembers(fallback) || !isMembers(value)) {
      if (!isDeepStrictEqual(value, fallback)) compact[name] = value
      continue
    }
    const different = Object.entries(value).filter(
      ([member, inner]) => !isDeepStrictEqual(inner, fallback[member]) && !isSecretMember(name, member),
    )
    if (different.length > 0) compact[name] = Object.fromEntries(different)
  }
  return compact
}

/** Contract 2.64: absent = unchanged, null = back to the default, objects one level deep. */
export function mergeSettings(current: RealmSettings, change: SettingsChange): RealmSettings {
  const next: Members = { ...current }
  for (const [name, value] of Object.entries(change)) {
    const fallback = defaults[name]
    // Without a default it is read-only (realmId) and ignored.
    if (value === undefined || fallback === undefined) continue
    if (value === null) next[name] = fallback
    else if (isMembers(fallback)) next[name] = mergeMembers(next[name] as Members, fallback, value as Members)
    else next[name] = tidy(value)
  }
  const settings = next as RealmSettings
  return { ...settings, captcha: { ...settings.captcha, secret: null, secretSet: willHaveSecret(current, change) } }
}

/** The new secret, null when it is cleared, undefined when it stays. */
export function changedSecret(change: SettingsChange): string | null | undefined {
  if (change.captcha === null) return null
  const secret = change.captcha?.secret
  if (secret === undefined || secret === null) return undefined
  return secret === '' ? null : secret
}

function willHaveSecret(current: RealmSettings, change: SettingsChange): boolean {
  const secret = changedSecret(change)
  return secret === undefined ? current.captcha.secretSet : secret !== null
}

function mergeMembers(current: Members, fallback: Members, change: Members): Members {
  const next = new Map(Object.entries(current))
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) continue
    if (value !== null) next.set(name, tidy(value))
    else if (Object.hasOwn(fallback, name)) next.set(name, fallback[name])
    // A name of a map, such as an acr alias, has no default and is simply gone.
    else next.delete(name)
  }
  return Object.fromEntries(next)
}

/** Lists here are sets, and a text area that was emptied means none. */
function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value)]
  return value === '' ? null : value
}

function isSecretMember(name: string, member: string): boolean {
  return name === 'captcha' && secretMembers.includes(member)
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
