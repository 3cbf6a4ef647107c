// One JSON object per line on standard output: application lines (kind "app") and audit lines (kind "audit").
// Contract 6.10, specification part 6 (emission); secrets never reach a line.
// Called by app/main (createLog) and by the audit events of the domain (writeAuditLine).
export {
  countDroppedLines,
  createAuditWriter,
  createLog,
  type Log,
  type LogOptions,
  writeAuditLine,
  writeAuditLines,
} from './log.ts'
export type { LineOutput } from './output.ts'
