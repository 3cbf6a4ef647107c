/** The fixed catalogue of admin permissions (specification part 2); labels are its "Grants" texts. */
export const permissionCatalogue = [
  { key: 'realm-admin', label: 'full realm administration (super-grant)' },
  { key: 'view-users', label: 'view users' },
  { key: 'manage-users', label: 'manage users' },
  { key: 'view-clients', label: 'view clients / applications' },
  { key: 'manage-clients', label: 'manage clients / applications' },
  { key: 'manage-roles', label: 'manage realm and client roles' },
  { key: 'manage-identity-providers', label: 'manage identity providers and federation' },
  { key: 'manage-authorization', label: 'manage flows, scopes, claims, authorization services' },
  { key: 'manage-organizations', label: 'manage organizations and groups' },
  { key: 'manage-realm', label: 'manage realm settings, notifications, provisioning' },
  { key: 'view-events', label: 'view events and sessions' },
  { key: 'manage-events', label: 'manage events config and revoke sessions' },
] as const

export type Permission = (typeof permissionCatalogue)[number]['key']
export const permissionKeys = permissionCatalogue.map((entry) => entry.key) as [Permission, ...Permission[]]

// A right to change includes the right to look; realm-admin includes everything (contract 5.1).
const implied: Partial<Record<Permission, readonly Permission[]>> = {
  'realm-admin': permissionKeys,
  'manage-users': ['view-users'],
  'manage-clients': ['view-clients'],
  'manage-events': ['view-events'],
}

/** The granted permissions with everything they include. */
export function expandPermissions(granted: Iterable<string>): Set<string> {
  const held = new Set<string>()
  for (const key of granted) {
    held.add(key)
    for (const more of implied[key as Permission] ?? []) held.add(more)
  }
  return held
}

/** The permissions that are wanted and not held. */
export function missingPermissions(held: ReadonlySet<string>, wanted: Iterable<string>): string[] {
  return [...expandPermissions(wanted)].filter((key) => !held.has(key))
}
