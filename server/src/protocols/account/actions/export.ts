import type { Context, UserActor } from '../../../domain/context/index.ts'
import { type ExportDocument, exportUser } from '../../../domain/users/gdpr/index.ts'
import { spend } from './limits.ts'

/** Everything that is kept of the person. */
export async function exportOwnData(ctx: Context, holder: UserActor): Promise<ExportDocument> {
  await spend(ctx, holder, 'exports')
  return exportUser(ctx, holder.userId)
}
