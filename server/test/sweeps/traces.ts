// What a request left behind: its audit events, its lines on standard output and its count in the metrics.
// Contract 2.88-2.90, 4.23, 6.2: every request of a sweep carries a trace id of its own, by which its events are found.
import type { AuditLine } from '../../src/domain/context/index.ts'
import type { Stage } from './stage.ts'

/** The events that were written under a trace id, oldest first, as the audit trail shows them. */
export async function eventsOf(stage: Stage, traceId: string): Promise<AuditLine[]> {
  const answer = await stage.admin.get(`/admin/realms/${stage.realmId}/events?size=200`)
  if (answer.status !== 200) throw new Error(`the audit trail cannot be read: ${answer.text}`)
  return (answer.body.items as AuditLine[]).filter((event) => event.traceId === traceId).toReversed()
}

export const linesOf = (stage: Stage, traceId: string) =>
  stage.node.auditLines.filter((line) => line.traceId === traceId) as unknown as AuditLine[]

export type WriteCounts = Map<string, number>

/** svc_admin_write_total by its labels. */
export async function adminWriteCounts(stage: Stage): Promise<WriteCounts> {
  const metric = stage.node.services.metrics.registry.getSingleMetric('svc_admin_write_total')!
  const { values } = await metric.get()
  return new Map(
    values.map(({ labels, value }) => [`${labels.realm} ${labels.method} ${labels.outcome}`, Number(value)]),
  )
}

/** The counters that grew between two readings, and by how much. */
export function growthOf(before: WriteCounts, after: WriteCounts): Record<string, number> {
  const grown = [...after].map(([labels, value]) => [labels, value - (before.get(labels) ?? 0)] as const)
  return Object.fromEntries(grown.filter(([, difference]) => difference !== 0))
}
