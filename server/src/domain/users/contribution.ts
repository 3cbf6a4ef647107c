import type { Contribution } from '../context/index.ts'
import { findRoleByName } from '../roles/index.ts'
import { defaultSettings } from '../settings/index.ts'
import { setPassword } from './password/index.ts'
import { UserInput } from './schema.ts'
import { createUser } from './service.ts'
import { insertUserRole } from './store.ts'

/** The first administrator of a new realm. */
export const usersContribution: Contribution = {
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
