import { foldName } from '../../platform/text/index.ts'
import type { Context } from '../context/index.ts'
import { createUser, deleteUser, loadUser, UserInput } from '../users/index.ts'
import { isLoginNameTaken } from './store.ts'

// Contract 2.9; a clientId may be as long as a username on its own.
const maxUsernameLength = 255

/** Makes the user that a client is when it acts for itself. It has no password, and sign-in refuses it. */
export async function createServiceAccount(ctx: Context, client: { id: string; clientId: string }): Promise<string> {
  const username = await freeUsername(ctx, client)
  const user = await createUser(ctx, UserInput.parse({ username }), { serviceAccountClientId: client.clientId })
  return user.userId
}

/** Takes the user with its roles away, which needs as much as it holds (contract 5.2). */
export async function deleteServiceAccount(ctx: Context, userId: string): Promise<void> {
  await deleteUser(ctx, (await loadUser(ctx, userId, true)).record)
}

/** Usernames know no case and people may have any, so the plain name can be taken; the end of the id makes it unique. */
async function freeUsername(ctx: Context, client: { id: string; clientId: string }): Promise<string> {
  const plain = `service-account-${client.clientId}`.slice(0, maxUsernameLength)
  const isCut = plain.length < `service-account-${client.clientId}`.length
  if (!isCut && !(await isLoginNameTaken(ctx.tx, ctx.realmId, foldName(plain)))) return plain
  const suffix = `-${client.id.slice(-12)}`
  return plain.slice(0, maxUsernameLength - suffix.length) + suffix
}
