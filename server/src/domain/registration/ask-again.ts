import type { Client, ClientInput } from '../clients/index.ts'
import { forgetClientConsents } from '../consents/index.ts'
import { type Context, react } from '../context/index.ts'

/** True with another name, a further address or another way to prove itself: what whoever takes a registration over changes. */
function isAnother(before: Client, said: ClientInput): boolean {
  return (
    said.name !== before.name ||
    said.tokenEndpointAuthMethod !== before.tokenEndpointAuthMethod ||
    said.redirectUris.some((uri) => !before.redirectUris.includes(uri))
  )
}

/** An administrator who lets an application in without asking people looked at the one it was then. */
export function mustAskPeople(before: Client, said: ClientInput): boolean {
  return before.consentRequired || isAnother(before, said)
}

/** People said yes to a name and to where it leads; when that is another, nobody's yes counts any more. */
export async function askPeopleAgain(ctx: Context, before: Client, said: ClientInput): Promise<void> {
  if (!isAnother(before, said)) return
  await forgetClientConsents(ctx, before.id)
  await react(ctx, 'clientEnded', before.clientId)
}
