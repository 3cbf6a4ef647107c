import type { FastifyReply } from 'fastify'
import { listPendingApprovals } from '../../../domain/device-approvals/index.ts'
import { hasProvider } from '../../../domain/messaging/index.ts'
import { settingsSection } from '../../../domain/settings/index.ts'
import { type User, loadUser } from '../../../domain/users/index.ts'
import type { Credential } from '../../../domain/users/credentials/index.ts'
import { type Attention, renderOverviewPage } from '../../../pages/account/index.ts'
import { send } from './answer.ts'
import { type AccountVisit, look } from './holder.ts'
import { readCredentials } from './credentials.ts'

export async function showOverview(account: AccountVisit): Promise<FastifyReply> {
  const { visit, session, frame, holder } = account
  const [user, credentials, requests] = await Promise.all([
    look(account, (ctx) => loadUser(ctx, holder.userId, false)),
    readCredentials(account),
    readRequests(account),
  ])
  const { record } = user
  const name = nameOf(record)
  const attention: Attention[] = [
    ...requests.map(({ href }): Attention => ({ kind: 'approval', href })),
    ...(await findAttention(account, record, credentials)),
  ]
  // Whoever acts for somebody finds their own console there, not that person's.
  const isAdministrator = session.permissions.size > 0 && session.impersonatorId === null
  const consoleHref = isAdministrator ? `/console/${visit.realm.realmId}/` : null
  const person = { username: record.username, name, email: record.email }
  return send(account, renderOverviewPage({ frame, person, attention, consoleHref }))
}

/** The name people call themselves by; null for whoever gave none. */
function nameOf({ attributes }: User): string | null {
  const parts = ['firstName', 'lastName'].map((key) => attributes[key]).flat()
  const name = parts.filter((part) => typeof part === 'string' && part.trim() !== '').join(' ')
  return name === '' ? null : name
}

async function findAttention(account: AccountVisit, user: User, credentials: Credential[]): Promise<Attention[]> {
  const { realm } = account.visit
  const [{ mfaPolicy }, canMail] = await Promise.all([realm.section(settingsSection), hasProvider(realm, 'EMAIL')])
  const counts = credentials.some(
    ({ type, details }) => ['totp', 'webauthn', 'device'].includes(type) && details.pending !== true,
  )
  const codes = credentials.find(({ type }) => type === 'recovery-codes')
  const actions = user.requiredActions.map((action): Attention => ({ kind: 'action', action }))
  return [
    ...(user.email === null ? [{ kind: 'noEmail' } as const] : []),
    ...(user.email !== null && !user.emailVerified && canMail ? [{ kind: 'verifyEmail' } as const] : []),
    ...(mfaPolicy.mode !== 'OFF' && !counts ? [{ kind: 'secondFactor' } as const] : []),
    ...(counts && codes?.details.remaining === 0 ? [{ kind: 'recoveryCodes' } as const] : []),
    ...actions,
  ]
}

/** Sign-ins that wait for this person's answer; each has a page of its own. */
export async function readRequests({ services, visit, holder }: AccountVisit) {
  const { realmId } = visit.realm
  const approvals = await listPendingApprovals(services, realmId, holder.userId)
  return approvals
    .filter(({ kind, status, needsSignature }) => kind === 'PUSH' && status === 'PENDING' && !needsSignature)
    .map(({ id, createdAt, sourceIp, userAgent }) => ({
      ...{ id, createdAt, userAgent },
      address: sourceIp,
      href: `/realms/${realmId}/push/${id}`,
    }))
}
