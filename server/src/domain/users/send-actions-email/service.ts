import { conflictError, DomainError, fieldError } from '../../../platform/errors/index.ts'
import type { Context } from '../../context/index.ts'
import { allowMessage, queueMessage } from '../../messaging/index.ts'
import { issueToken } from '../../one-time-secrets/index.ts'
import { assertMayActOn } from '../../permissions/index.ts'
import { loadUser } from '../service.ts'
import type { ActionsEmail } from './schema.ts'
import { selectRedirectUris } from './store.ts'

/** The link is as good as a sign-in, so only whoever may act on the person may have it sent (contract 5.2). */
export async function sendActionsEmail(ctx: Context, userId: string | undefined, input: ActionsEmail): Promise<void> {
  const { record: user } = await loadUser(ctx, userId, true)
  await assertMayActOn(ctx, user.userId)
  if (user.serviceAccountClientId !== null) throw new DomainError('protected', 'Nobody signs in as a service account.')
  if (!user.enabled) throw new DomainError('conflict', 'The user is disabled.')
  if (user.email === null) throw conflictError('email', 'The user has no e-mail address.')
  const redirectUri = await readRedirectUri(ctx, input)
  const limit = await allowMessage(ctx.services, ctx.realmId, 'EMAIL', user.email)
  if (!limit.allowed) {
    const { retryAfterSeconds } = limit
    throw new DomainError('rate_limited', 'This address was sent too many messages.', { retryAfterSeconds })
  }
  const ttlMs = input.lifespanSeconds * 1000
  const token = await issueToken(ctx, {
    purpose: 'ACTIONS',
    subject: user.userId,
    boundTo: null,
    ttlMs,
    details: { actions: input.actions, ...(redirectUri ? { redirectUri } : {}) },
    // The link is worth something as long as the address it was sent to is the person's.
    sealed: user.email,
  })
  const sent = await queueMessage(ctx, {
    templateKey: 'invite-email',
    channel: 'EMAIL',
    to: user.email,
    userId: user.userId,
    locale: user.locale,
    values: {
      link: `${ctx.services.config.baseUrl}/realms/${ctx.realmId}/login/actions?token=${token}`,
      user: user.username,
      ttl: String(Math.ceil(input.lifespanSeconds / 60)),
    },
    expiresAt: ctx.now + ttlMs,
  })
  if (!sent) throw new DomainError('no_provider', 'Set up a messaging provider for EMAIL first.')
}

async function readRedirectUri(ctx: Context, { clientId, redirectUri }: ActionsEmail): Promise<string | null> {
  if (clientId === undefined) {
    if (redirectUri !== undefined) throw fieldError('redirectUri', 'redirectUri needs clientId.')
    return null
  }
  const redirectUris = await selectRedirectUris(ctx.tx, ctx.realmId, clientId)
  if (!redirectUris) throw fieldError('clientId', 'There is no such client.')
  if (redirectUri === undefined) return redirectUris[0] ?? null
  if (!redirectUris.includes(redirectUri)) throw fieldError('redirectUri', 'The client has no such redirect URI.')
  return redirectUri
}
