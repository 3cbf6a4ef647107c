import { z } from 'zod'
import { pageQuery } from '../../admin-route/index.ts'
import { RoleName } from '../../roles/index.ts'

export const ClientRole = z
  .object({
    roleId: z.uuid(),
    name: z.string(),
    description: z.string().nullable(),
    clientId: z.string(),
  })
  .meta({ id: 'ClientRole' })
export type ClientRole = z.infer<typeof ClientRole>

export const ClientRoleInput = z
  .strictObject({ name: RoleName, description: z.string().max(1024).nullable().default(null) })
  .meta({ id: 'ClientRoleInput' })
export type ClientRoleInput = z.infer<typeof ClientRoleInput>

export const ClientRoleQuery = pageQuery.meta({ id: 'ClientRoleQuery' })
export type ClientRoleQuery = z.infer<typeof ClientRoleQuery>
