import { z } from 'zod'
import { booleanText, pageQuery } from '../../admin-route/index.ts'
import { RoleName } from '../../roles/index.ts'

export const RoleMapping = z
  .object({
    roleId: z.uuid(),
    name: z.string(),
    description: z.string().nullable(),
    clientId: z.string().nullable().describe('The client a role belongs to; null for realm roles.'),
    source: z
      .enum(['DIRECT', 'GROUP', 'COMPOSITE'])
      .describe('Assigned to the user, held through a group, or part of a role that the user holds.'),
  })
  .meta({ id: 'RoleMapping' })
export type RoleMapping = z.infer<typeof RoleMapping>

export const RoleAssignment = z
  .strictObject({ name: RoleName.describe('Name of a realm role.') })
  .meta({ id: 'RoleAssignment' })

export const RoleMappingQuery = pageQuery
  .extend({ effective: booleanText.optional().describe('Also the roles held through composite roles.') })
  .meta({ id: 'RoleMappingQuery' })
export type RoleMappingQuery = z.infer<typeof RoleMappingQuery>
