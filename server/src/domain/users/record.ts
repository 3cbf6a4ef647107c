import type { AttributeMap } from './attributes.ts'
import type { User } from './schema.ts'
import type { UserRow } from './store.ts'

/** A row as the API shows it. A lock that has run out is no lock any more; a factor counts where the realm allows it. */
export function toUser(realmId: string, row: UserRow, now: number, allowedFactors: readonly string[]): User {
  const locked = row.locked && (row.locked_until === null || row.locked_until > now)
  return {
    realmId,
    userId: row.id,
    username: row.username,
    email: row.email,
    enabled: row.enabled,
    locked,
    mfaEnabled: row.factors.some((factor) => allowedFactors.includes(factor)),
    roles: row.role_names,
    attributes: row.attributes as AttributeMap,
    createdAt: row.created_at,
    emailVerified: row.email_verified,
    phone: row.phone,
    phoneVerified: row.phone_verified,
    locale: row.locale,
    requiredActions: row.required_actions,
    lockedUntil: locked ? row.locked_until : null,
    lastLoginAt: row.last_login_at,
    federationAlias: row.federation_alias,
    serviceAccountClientId: row.service_account_client_id,
    passwordSet: row.password_changed_at !== null,
    passwordChangedAt: row.password_changed_at,
  }
}
