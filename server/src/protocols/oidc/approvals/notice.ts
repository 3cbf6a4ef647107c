import type { KoaContextWithOIDC } from 'oidc-provider'
import { asUser, openContext, type Services } from '../../../domain/context/index.ts'
import { ledgerSubject, reserveAttempt } from '../../../domain/lockout/index.ts'
import { allowMessage, queueMessage, queuePush } from '../../../domain/messaging/index.ts'
import { modelId } from '../../../domain/tokens/index.ts'
import { runTransaction } from '../../../platform/db/index.ts'
import { findUsableUser } from '../account.ts'
import { errors } from '../internals.ts'
import type { IssuerParts } from '../issuer.ts'
import { currentUnit } from '../unit.ts'

/**
 * Counts a request before anybody is bothered with it. Whoever does not answer, or says no, is left in peace after as many as
 * somebody may guess a password: a person who is asked often enough says yes by mistake (S40).
 */
export async function reserveRequest(services: Services, parts: IssuerParts, userId: string): Promise<void> {
  const subject = ledgerSubject(userId, '')
  const { allowed } = await reserveAttempt(services, parts.settings, parts.realmId, subject, 'APPROVAL')
  if (!allowed) throw new errors.AccessDenied('too many requests to this person are unanswered or were refused')
}

/** The public name of a request that waits: what it is stored under, which opens nothing by itself. */
const approvalId = (model: string, value: string) => modelId(model, value).toString('base64url')

/** Tells the person, by push where they have a device and by mail otherwise. It goes out once the request itself is written. */
export async function notifyPerson(
  services: Services,
  parts: IssuerParts,
  ctx: KoaContextWithOIDC,
  request: { jti: string; expiration?: number },
): Promise<void> {
  const unit = currentUnit()
  const { account, client, params } = ctx.oidc
  if (!unit || !account || !client) return
  const user = await findUsableUser(services, parts.realmId, account.accountId)
  if (!user) return
  const seconds = request.expiration ?? 0
  const values = {
    client: client.clientName ?? client.clientId,
    message: typeof params?.binding_message === 'string' ? params.binding_message : '',
    link: `${parts.issuer}/approve/${approvalId('BackchannelAuthenticationRequest', request.jti)}`,
    ttl: String(Math.max(1, Math.round(seconds / 60))),
  }
  unit.effects.push(async () => {
    const expiresAt = services.clock.now() + seconds * 1000
    await runTransaction(services.db, async (work) => {
      const actor = asUser(parts.realmId, { id: user.userId, username: user.username })
      const context = openContext(services, work, { realmId: parts.realmId, actor, origin: unit.origin })
      const message = { userId: user.userId, locale: user.locale, values, expiresAt }
      if (await queuePush(context, { ...message, templateKey: 'approval-push' })) return
      const isKnown = user.email !== null && user.emailVerified
      // Looked at last: it counts, and codes for a sign-in come out of the same allowance.
      const mayMail = isKnown && (await allowMessage(services, parts.realmId, 'EMAIL', user.email!)).allowed
      if (mayMail) {
        await queueMessage(context, { ...message, templateKey: 'approval-email', channel: 'EMAIL', to: user.email! })
      }
    })
  })
}
