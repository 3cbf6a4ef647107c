import { toPlainText } from '../token-aid/paint.ts'
import type { ExportReason, ExportReport } from './verify-export.ts'

const meanings: Record<ExportReason, string> = {
  EVENT_CHANGED: 'the event is not the one that was hashed',
  EVENT_REMOVED: 'the event is missing',
  EVENT_INSERTED: 'the event was put in later',
  EVENT_MOVED: 'the event stands in another’s place',
  CHAIN_GAP: 'places are missing',
  CHAIN_REWRITTEN: 'the chain is not the one that was sealed',
  SEAL_INVALID: 'a seal is not signed by the audit key',
  SEAL_MISSING: 'a seal is missing',
  NOT_AN_EXPORT: 'this is no line of an audit export',
  KEY_UNKNOWN: 'the file was not signed with this audit key',
  READING_DIFFERS: 'what can be read is not what was hashed',
  FILE_CHANGED: 'the file is not the one that was signed',
  FILE_CUT_OFF: 'the signed manifest at the end is missing',
  DOES_NOT_FOLLOW: 'the file does not go on where the one before ended',
}

/** The result for people. */
export function showReports(reports: ExportReport[], keyGiven: boolean): string[] {
  const lines = reports.flatMap((report) => [
    `${report.broken ? 'BAD ' : 'good'}  ${report.file}`,
    `      realm ${report.realm ?? '?'}, ${describeEvents(report)}, ${report.seals} seals`,
    ...(report.broken ? [describeBreak(report.broken)] : describeEnd(report)),
  ])
  const keyIds = [...new Set(reports.flatMap((report) => report.keyIds))]
  const believed = `The key is the one in the file (${keyIds.join(', ')}). Compare it with the one you noted, or give it with --key.`
  // The file may come from anywhere, and so may what it calls its realm.
  return (keyGiven || keyIds.length === 0 ? lines : [...lines, believed]).map(toPlainText)
}

const describeEvents = ({ from, to, events }: ExportReport) =>
  events === 0 ? 'no events' : `events ${from} to ${to} (${events})`

function describeBreak(broken: NonNullable<ExportReport['broken']>): string {
  const where =
    broken.seq === null ? `line ${broken.line}` : `line ${broken.line}, event ${broken.seq} ${broken.eventId}`
  return `      ${where}: ${meanings[broken.reason]} (${broken.reason})`
}

function describeEnd({ to, events, sealedTo, next }: ExportReport): string[] {
  const unsealed = to - (sealedTo ?? 0)
  return [
    ...(events > 0 && (sealedTo === null || unsealed > 0)
      ? [
          `      ${sealedTo === null ? 'no seal in the file' : `sealed up to ${sealedTo}`}; the rest hangs on the manifest`,
        ]
      : []),
    ...(next === null ? [] : [`      there is more: export again with after=${next}`]),
  ]
}
