import { DomainError, notFound } from '../../../platform/errors/index.ts'
import type { Context } from '../../context/index.ts'
import { recordEvent } from '../../events/index.ts'
import { readSettings } from '../../settings/index.ts'
import { assertMayControl } from '../control.ts'
import type { Client } from '../schema.ts'
import { makeSecret, secretPlace } from '../secrets.ts'
import { needsSecret } from '../settings.ts'
import { loadClient } from '../service.ts'
import type { ClientSecret, RegeneratedSecret, RegenerateInput } from './schema.ts'
import { selectSecret, updateSecret } from './store.ts'

/** Whoever knows the secret can act as the client, so they must hold what the client holds (contract 5.2). */
export async function revealSecret(ctx: Context, id: string | undefined): Promise<ClientSecret> {
  const { record: client } = await loadClient(ctx, id, false)
  if (!(await readSettings(ctx)).clientSecretRevealAllowed)
    throw new DomainError(
      'forbidden',
      'This realm does not show secrets again (clientSecretRevealAllowed); make a new one.',
    )
  await assertMayControl(ctx, client)
  const stored = await selectSecret(ctx.tx, ctx.realmId, client.id)
  if (!stored) throw notFound()
  const secret = ctx.services.sealer.open(stored.sealed, secretPlace(ctx.realmId, client.id, 'secret')).toString('utf8')
  return { clientId: client.clientId, secret, createdAt: stored.createdAt, expiresAt: client.secretExpiresAt }
}

/** The new secret never ends by itself; the end that was set belonged to the one before. */
export async function regenerateSecret(
  ctx: Context,
  id: string | undefined,
  { graceSeconds }: RegenerateInput,
): Promise<RegeneratedSecret> {
  const { record: client } = await loadClient(ctx, id, true)
  if (!needsSecret(client))
    throw new DomainError(
      'conflict',
      `A client that authenticates with ${client.tokenEndpointAuthMethod} has no secret.`,
    )
  await assertMayControl(ctx, client)
  const secret = makeSecret()
  const previous = await keepPrevious(ctx, client, graceSeconds)
  await updateSecret(ctx.tx, ctx.realmId, client.id, {
    secret_sealed: ctx.services.sealer.seal(secret, secretPlace(ctx.realmId, client.id, 'secret')),
    secret_created_at: ctx.now,
    previous_secret_sealed: previous?.sealed ?? null,
    previous_secret_expires_at: previous?.expiresAt ?? null,
  })
  const previousSecretExpiresAt = previous?.expiresAt ?? null
  await recordEvent(ctx, {
    type: 'SECRET_REGENERATED',
    outcome: 'SUCCESS',
    resourceType: 'clients',
    resourceId: client.id,
    detail: JSON.stringify({ clientId: client.clientId, previousSecretExpiresAt }),
  })
  return { clientId: client.clientId, secret, createdAt: ctx.now, expiresAt: null, previousSecretExpiresAt }
}

/** Sealed anew, because each column is a place of its own. A secret that had an end does not outlive it. */
async function keepPrevious(ctx: Context, client: Client, graceSeconds: number) {
  const stored = graceSeconds > 0 ? await selectSecret(ctx.tx, ctx.realmId, client.id) : null
  if (!stored) return null
  const expiresAt = Math.min(ctx.now + graceSeconds * 1000, client.secretExpiresAt ?? Number.POSITIVE_INFINITY)
  if (expiresAt <= ctx.now) return null
  const { sealer } = ctx.services
  const secret = sealer.open(stored.sealed, secretPlace(ctx.realmId, client.id, 'secret'))
  return { sealed: sealer.seal(secret, secretPlace(ctx.realmId, client.id, 'previous_secret')), expiresAt }
}
