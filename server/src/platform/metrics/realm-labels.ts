// Which realms get their own metric label: first come, first served, up to a limit, and never taken back.

// Realm names begin with a letter or digit, so that no realm can be mistaken for this one.
export const otherRealms = '_other'

export interface RealmLabels {
  label(realm: string): string
}

// A label once given is kept, because a counter that moved between labels would look reset to whoever reads it.
export function createRealmLabels(maxRealms: number): RealmLabels {
  const admitted = new Set<string>()
  return {
    label(realm) {
      if (admitted.has(realm)) return realm
      if (realm === otherRealms || admitted.size >= maxRealms) return otherRealms
      admitted.add(realm)
      return realm
    },
  }
}
