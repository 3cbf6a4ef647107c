import { z } from 'zod'
import { pageQuery } from '../admin-route/index.ts'

/** Shown in tokens and typed in filters: no control characters, no space at either end. Contract 2.9 for the length. */
export const RoleName = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[^\s\p{Cc}](?:[^\p{Cc}]*[^\s\p{Cc}])?$/u, 'No control characters, no space at either end.')
const description = z.string().max(1024).nullable()

// A role of more parts than this is a mistake; every request of a holder walks them.
const maxChildren = 100
const compositeRoleNames = z
  .array(RoleName)
  .max(maxChildren)
  .default([])
  .describe('Roles that holders of this role hold, too.')

export const Role = z
  .object({
    realmId: z.string(),
    roleId: z.uuid(),
    name: z.string(),
    description: z.string().nullable(),
    defaultRole: z.boolean().describe('New users get this role; exactly one role of a realm is the default.'),
    composite: z.boolean().describe('True when compositeRoleNames is not empty.'),
    compositeRoleNames: z.array(z.string()).describe('Roles that holders of this role hold, too; sorted.'),
    createdAt: z.int(),
  })
  .meta({ id: 'Role' })
export type Role = z.infer<typeof Role>

const writable = { name: RoleName, description: description.default(null), compositeRoleNames }

export const RoleInput = z.strictObject(writable).meta({ id: 'RoleInput' })
export type RoleInput = z.infer<typeof RoleInput>

// Read-only members may come back as they were read: GET, edit, PUT must work (contract 2.2).
const readOnly = z.unknown().optional()

export const RoleReplacement = z
  .strictObject({
    ...writable,
    realmId: readOnly,
    roleId: readOnly,
    defaultRole: readOnly.describe('Read-only: PUT /roles/{roleId}/default makes a role the default.'),
    composite: readOnly,
    createdAt: readOnly,
  })
  .meta({ id: 'RoleReplacement' })

export const RoleQuery = pageQuery.meta({ id: 'RoleQuery' })
export type RoleQuery = z.infer<typeof RoleQuery>
