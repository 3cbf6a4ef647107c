import type { Context, UserActor } from '../../../domain/context/index.ts'
import { readSettings } from '../../../domain/settings/index.ts'
import { eraseUser } from '../../../domain/users/gdpr/index.ts'
import { DomainError } from '../../../platform/errors/index.ts'

/** For good, where the realm lets people do it themselves; the mail that says so is the last they get. */
export async function eraseOwnAccount(ctx: Context, holder: UserActor): Promise<void> {
  const { selfDeletionAllowed } = await readSettings(ctx)
  if (!selfDeletionAllowed) {
    throw new DomainError('forbidden', 'People cannot delete their own account here: ask an administrator.')
  }
  await eraseUser(ctx, holder.userId)
}
