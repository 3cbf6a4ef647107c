import { z } from 'zod'
import { pageQuery } from '../../../admin-route/index.ts'
import { RoleName } from '../../../roles/index.ts'
import { ClientId } from '../../schema.ts'

const name = RoleName.describe('Name of the role.')
const clientId = ClientId.nullable().optional().describe('The client the role belongs to; left out for a realm role.')

export const ServiceAccountRole = z.strictObject({ name, clientId }).meta({ id: 'ServiceAccountRole' })
export type ServiceAccountRole = z.infer<typeof ServiceAccountRole>

/** A DELETE names the role in its body or in the query, because not every client can send a body with it. */
export const RoleToTake = z.strictObject({ name: name.optional(), clientId }).meta({ id: 'ServiceAccountRoleToTake' })
export type RoleToTake = z.infer<typeof RoleToTake>

export const TakeQuery = z.strictObject({ name: name.optional(), clientId: ClientId.optional() })
export type TakeQuery = z.infer<typeof TakeQuery>

export const ServiceAccountRoleQuery = pageQuery.meta({ id: 'ServiceAccountRoleQuery' })
export type ServiceAccountRoleQuery = z.infer<typeof ServiceAccountRoleQuery>
