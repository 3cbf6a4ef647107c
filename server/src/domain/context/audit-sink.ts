/** An audit event in the shape of the specification, as it is shown and emitted. */
export interface AuditLine {
  ts: string
  kind: 'audit'
  category: string
  type: string
  realm: string
  actor: string
  sourceIp: string | null
  resourceType: string | null
  resourceId: string | null
  outcome: string
  detail: string | null
  id: string
  seq: number | null
  clientId: string | null
  sessionId: string | null
  userAgent: string | null
  impersonatorId: string | null
  agentId: string | null
  traceId: string | null
  hash: string | null
  actorName: string | null
}

/** Where committed events go beside the database: stdout always, an HTTP collector when one is configured. */
export interface AuditSink {
  emit(line: AuditLine): void
  /** Many at once, in order. */
  emitAll(lines: AuditLine[]): void
}
