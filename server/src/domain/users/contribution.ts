import { type Contribution, goesWithThePerson } from '../context/index.ts'
import { findRoleByName } from '../roles/index.ts'
import { defaultSettings } from '../settings/index.ts'
import { setPassword } from './password/index.ts'
import { UserInput } from './schema.ts'
import { createUser } from './service.ts'
import { insertUserRole } from './store.ts'

/** The first administrator of a new realm; and what is a person's row, which the export shows as their profile. */
export const usersContribution: Contribution = {
  traces: [
    {
      tables: ['users', 'login_names', 'user_attribute_index', 'user_roles', 'user_client_roles'],
      eraseFor: goesWithThePerson,
    },
  ],
  async seed(ctx, seed) {
    const user = await createUser(ctx, UserInput.parse({ username: seed.adminUsername, email: seed.adminEmail }))
    const admin = await findRoleByName(ctx, 'admin')
    if (!admin) throw new Error('the role admin is seeded before its first holder')
    await insertUserRole(ctx.tx, ctx.realmId, user.userId, admin.roleId, ctx.now)
    await setPassword(ctx, user.userId, {
      hash: seed.adminPasswordHash,
      temporary: seed.passwordTemporary,
      historyCount: defaultSettings.passwordPolicy.historyCount,
    })
  },
}
