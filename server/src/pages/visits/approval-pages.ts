import type { FastifyReply } from 'fastify'
import type { Approval } from '../../domain/device-approvals/index.ts'
import { lookSection } from '../../domain/settings/index.ts'
import { renderAnsweredPage } from '../approvals/index.ts'
import type { ApproverVisit } from './approver.ts'
import { localeOf, sendPage } from './visit.ts'

const clientOf = ({ clientId, clientName }: Approval) => (clientId === null ? null : { clientId, name: clientName })

/** What every page that asks the question is made of. */
export async function describeQuestion({ visit, approver }: ApproverVisit, approval: Approval) {
  const [realm, locale] = await Promise.all([visit.realm.section(lookSection), localeOf(visit)])
  return {
    realm,
    locale,
    csrf: visit.browser.csrf,
    client: clientOf(approval),
    username: approver.username,
    place: { address: approval.sourceIp, userAgent: approval.userAgent, at: approval.createdAt },
    expiresAt: approval.expiresAt,
    now: visit.services.clock.now(),
  }
}

const outcomes: Partial<Record<Approval['status'], 'approved' | 'denied'>> = {
  APPROVED: 'approved',
  CONFIRMED: 'approved',
  DENIED: 'denied',
}

/** What became of the question. */
export async function sendAnsweredPage(
  { visit }: ApproverVisit,
  kind: 'push' | 'qr',
  approval: Approval,
): Promise<FastifyReply> {
  const [realm, locale] = await Promise.all([visit.realm.section(lookSection), localeOf(visit)])
  const outcome = outcomes[approval.status] ?? 'ended'
  const html = renderAnsweredPage({ realm, locale, kind, outcome, client: clientOf(approval) })
  return sendPage(visit, html, { status: outcome === 'ended' ? 410 : 200 })
}
