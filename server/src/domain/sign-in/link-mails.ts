import { runRead, runTransaction } from '../../platform/db/index.ts'
import type { JobDefinition } from '../../platform/jobs/index.ts'
import { foldName } from '../../platform/text/index.ts'
import { jobActor, openContext, type Origin, type Services } from '../context/index.ts'
import { allowMessage, queueMessage } from '../messaging/index.ts'
import { issueToken } from '../one-time-secrets/index.ts'
import { settingsSection } from '../settings/index.ts'
import { mayPass } from './may-sign-in.ts'
import { resetLimit } from './reset-limit.ts'
import { findByLoginName, type LoginUser, readLoginUser, readSignIn } from './store.ts'
import type { SignInState } from './types.ts'

const magicLinkMs = 15 * 60_000
const resetLinkMs = 15 * 60_000
// A mail is waited for: many are written at once, and one realm does not hold up the others.
const concurrency = { width: 4, perGroup: 2 }

/** The mail of a magic link: only here it turns out whether the name that was typed is anybody's. */
export const sendLinkJob: JobDefinition<Services, { realmId: string; signInId: string }> = {
  name: 'sign-in.link',
  concurrency,
  async handle(services, { realmId, signInId }) {
    const row = await runRead(() => readSignIn(services.db, realmId, signInId))
    const typedName = (row?.state as SignInState | undefined)?.typedName
    if (typedName) await mailLink(services, realmId, typedName, { ...magicLink, boundTo: signInId })
  },
}

export interface ResetRequest {
  realmId: string
  /** The name as typed, sealed: the queue is no place for personal data. */
  nameSealed: string
}

/** The mail of a forgotten password. */
export const sendResetJob: JobDefinition<Services, ResetRequest> = {
  name: 'sign-in.reset',
  concurrency,
  async handle(services, { realmId, nameSealed }) {
    const name = services.sealer.open(Buffer.from(nameSealed, 'base64url'), resetPlace(realmId)).toString()
    await mailLink(services, realmId, name, { ...resetLink, boundTo: null })
  },
}

export const resetPlace = (realmId: string) => `reset-request:${realmId}`

interface LinkKind {
  purpose: 'MAGIC_LINK' | 'RESET_PASSWORD'
  templateKey: 'magic-link-email' | 'reset-password-email'
  path: string
  ttlMs: number
  /** A link that signs in goes only to an address that was proved; one to reset also helps whoever never proved theirs. */
  needsVerified: boolean
}

const magicLink: LinkKind = {
  purpose: 'MAGIC_LINK',
  templateKey: 'magic-link-email',
  path: '/login/link',
  ttlMs: magicLinkMs,
  needsVerified: true,
}
const resetLink: LinkKind = {
  purpose: 'RESET_PASSWORD',
  templateKey: 'reset-password-email',
  path: '/reset-password',
  ttlMs: resetLinkMs,
  needsVerified: false,
}

async function mailLink(
  services: Services,
  realmId: string,
  typedName: string,
  link: LinkKind & { boundTo: string | null },
): Promise<void> {
  const realm = await services.snapshots.find(realmId)
  if (!realm?.enabled) return
  const settings = await realm.section(settingsSection)
  const user = await runRead(() => findByLoginName(services.db, realmId, foldName(typedName), settings.loginWithEmail))
  if (!user || !canBeMailed(user, link, services.clock.now())) return
  if (link.purpose === 'RESET_PASSWORD' && !(await resetLimit(services).consume(realmId, user.id)).allowed) return
  if (!(await allowMessage(services, realmId, 'EMAIL', user.email!)).allowed) return
  await runTransaction(services.db, async (work) => {
    const origin: Origin = { sourceIp: null, userAgent: null, traceId: '' }
    const ctx = openContext(services, work, { realmId, actor: jobActor, origin })
    const { purpose, boundTo, ttlMs } = link
    // Held until the end, so that no link comes back of somebody who is erased at this moment.
    const current = await readLoginUser(work.tx, realmId, user.id)
    if (current?.email !== user.email) return
    // The link is worth something as long as the address it was sent to is the person's.
    const token = await issueToken(ctx, { purpose, subject: user.id, boundTo, ttlMs, sealed: user.email! })
    await queueMessage(ctx, {
      templateKey: link.templateKey,
      channel: 'EMAIL',
      to: user.email!,
      userId: user.id,
      locale: user.locale,
      values: {
        link: `${services.config.baseUrl}/realms/${realmId}${link.path}?token=${token}`,
        ttl: String(Math.ceil(ttlMs / 60_000)),
        user: user.username,
      },
      expiresAt: ctx.now + ttlMs,
    })
  })
}

function canBeMailed(user: LoginUser, { needsVerified, purpose }: LinkKind, now: number): boolean {
  const flowType = purpose === 'RESET_PASSWORD' ? 'RESET_CREDENTIALS' : 'BROWSER'
  return user.email !== null && (user.emailVerified || !needsVerified) && mayPass(user, now, flowType)
}
