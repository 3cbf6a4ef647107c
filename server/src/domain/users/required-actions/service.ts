import type { Loaded } from '../../admin-route/index.ts'
import type { Context } from '../../context/index.ts'
import { assertMayActOn } from '../../permissions/index.ts'
import { loadUser } from '../service.ts'
import type { RequiredActions, RequiredActionsInput } from './schema.ts'
import { updateRequiredActions } from './store.ts'

/** The version is the user's: the actions are part of that row. */
export async function loadRequiredActions(
  ctx: Context,
  userId: string | undefined,
  forUpdate: boolean,
): Promise<Loaded<RequiredActions>> {
  const { record, version } = await loadUser(ctx, userId, forUpdate)
  return { record: { requiredActions: record.requiredActions }, version }
}

export function actionsOf(input: RequiredActionsInput): string[] {
  return Array.isArray(input) ? input : input.requiredActions
}

/** What stands between a person and their account is not for a lesser administrator to decide (contract 5.2). */
export async function setRequiredActions(ctx: Context, userId: string, actions: string[]): Promise<RequiredActions> {
  await assertMayActOn(ctx, userId)
  const requiredActions = [...new Set(actions)]
  await updateRequiredActions(ctx.tx, ctx.realmId, userId, requiredActions)
  return { requiredActions } as RequiredActions
}
