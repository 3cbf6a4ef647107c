import type { Client, ClientInput } from '../clients/index.ts'
import { forgetClientConsents } from '../consents/index.ts'
import { type Context, react } from '../context/index.ts'

/**
 * People said yes to a name and to where it leads. Whoever gets hold of a registration access token changes exactly these, so with
 * another name, a further address or another way to prove itself nobody's yes counts any more.
 */
export async function askPeopleAgain(ctx: Context, before: Client, said: ClientInput): Promise<void> {
  const isAnother =
    said.name !== before.name ||
    said.tokenEndpointAuthMethod !== before.tokenEndpointAuthMethod ||
    said.redirectUris.some((uri) => !before.redirectUris.includes(uri))
  if (!isAnother) return
  await forgetClientConsents(ctx, before.id)
  await react(ctx, 'clientEnded', before.clientId)
}
