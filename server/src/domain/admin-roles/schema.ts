import { z } from 'zod'
import { pageQuery } from '../admin-route/index.ts'
import { permissionKeys } from '../permissions/index.ts'

const PermissionKey = z.enum(permissionKeys)

export const AdminRole = z
  .object({
    realmId: z.string(),
    roleId: z.uuid(),
    roleName: z.string(),
    permissions: z.array(PermissionKey).describe('Keys of the catalogue, in its order.'),
  })
  .meta({ id: 'AdminRole' })
export type AdminRole = z.infer<typeof AdminRole>

export const PermissionEntry = z.object({ key: PermissionKey, label: z.string() }).meta({ id: 'PermissionEntry' })

// Read-only members may come back as they were read: GET, edit, PUT must work (contract 2.2).
const readOnly = z.unknown().optional()

export const AdminRoleReplacement = z
  .strictObject({
    // Duplicates are collapsed, so a list may be longer than the catalogue, but not without end.
    permissions: z.array(PermissionKey).max(100).describe('Replaces the whole set; duplicates are collapsed.'),
    realmId: readOnly,
    roleId: readOnly,
    roleName: readOnly,
  })
  .meta({ id: 'AdminRoleReplacement' })

export const AdminRoleQuery = pageQuery.meta({ id: 'AdminRoleQuery' })
export type AdminRoleQuery = z.infer<typeof AdminRoleQuery>
