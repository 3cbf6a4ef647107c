import type { Role } from './schema.ts'
import type { RoleRow } from './store.ts'

export function toRole(realmId: string, row: RoleRow): Role {
  return {
    realmId,
    roleId: row.id,
    name: row.name,
    description: row.description,
    defaultRole: row.default_role,
    composite: row.child_names.length > 0,
    compositeRoleNames: row.child_names,
    createdAt: row.created_at,
  }
}
