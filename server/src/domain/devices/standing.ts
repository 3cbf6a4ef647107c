interface Standing {
  enabled: boolean
  locked: boolean
  locked_until: number | null
}

/** Whether what somebody's device says counts now: as little as their password while they are disabled or locked (S12). */
export function mayAct({ enabled, locked, locked_until: until }: Standing, now: number): boolean {
  return enabled && !(locked && (until === null || until > now))
}

/** Whoever is locked for failed sign-ins only may still be given a device; an administrator's lock stands. */
export function mayEnroll({ enabled, locked, locked_until: until }: Standing): boolean {
  return enabled && !(locked && until === null)
}
