import { newId } from '../../platform/ids/index.ts'
import type { Contribution } from '../context/index.ts'
import type { Permission } from '../permissions/index.ts'
import { adminRoleName } from './service.ts'
import { insertRole } from './store.ts'

/** Specification part 1, "Seeded defaults for every realm". */
const seededRoles: { name: string; description: string; permissions: Permission[]; defaultRole: boolean }[] = [
  {
    name: adminRoleName,
    description: 'Full administration of the realm',
    permissions: ['realm-admin'],
    defaultRole: false,
  },
  {
    name: 'auditor',
    description: 'May look at everything that is recorded',
    permissions: ['view-users', 'view-clients', 'view-events'],
    defaultRole: false,
  },
  { name: 'user', description: 'Every new user', permissions: [], defaultRole: true },
]

export const rolesContribution: Contribution = {
  async seed(ctx) {
    for (const { defaultRole, ...role } of seededRoles) {
      await insertRole(ctx.tx, {
        ...role,
        default_role: defaultRole,
        realm_id: ctx.realmId,
        id: newId(ctx.now),
        created_at: ctx.now,
      })
    }
  },
}
