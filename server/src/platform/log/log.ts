// The application log on pino, and the audit lines beside it on the same output.
import { type Logger, pino, stdTimeFunctions } from 'pino'
import { createStandardOutput, escapeLine, type LineOutput } from './output.ts'
import { createBudget, sanitizeMembers, sanitizeText, sanitizeValue, truncateText } from './sanitize.ts'

export type Log = Logger

export interface LogOptions {
  // `logLevel` is the name in Config, so that the configuration can be passed as it is.
  level?: string
  logLevel?: string
  stream?: LineOutput
}

const standardOutput = createStandardOutput()

export function createLog({ level, logLevel, stream = standardOutput }: LogOptions = {}): Log {
  return pino(
    {
      level: level ?? logLevel ?? 'info',
      base: { kind: 'app' },
      messageKey: 'msg',
      // pino's own function writes `"time"`; the house name of an ISO time is `ts`.
      timestamp: () => stdTimeFunctions.isoTime().replace('"time"', '"ts"'),
      formatters: {
        level: (label) => ({ level: label }),
        bindings: (bindings) => sanitizeMembers(bindings),
      },
      // Errors arrive here as plain members already; pino's own serializer would fold their causes into the message.
      serializers: { err: (err: unknown) => err },
      // Sanitizing in the hook, before any serializer, means that no caller can log past it.
      hooks: { logMethod: logSafely },
    },
    { write: (line: string) => stream.write(`${escapeLine(line.trimEnd())}\n`) },
  )
}

function logSafely(this: Logger, args: unknown[], method: (...safe: never[]) => void): void {
  const budget = createBudget()
  const [first, ...rest] = args
  const isObject = typeof first === 'object' && first !== null
  const head = first instanceof Error ? { err: sanitizeValue(first, budget) } : first
  const safeHead = isObject ? withoutOwnNames(sanitizeMembers(head as object, budget)) : sanitizeValue(first, budget)
  const fallback = first instanceof Error && rest.length === 0 ? [first.message] : rest
  const safeRest = fallback.map((value) =>
    typeof value === 'string' ? sanitizeText(value, budget) : sanitizeValue(value, budget),
  )
  method.apply(this, [safeHead, ...safeRest] as never[])
}

// A doubled member makes JSON readers disagree, so that `kind` could read "audit" to one of them: ours win, the caller's move.
function withoutOwnNames(members: Record<string, unknown>): Record<string, unknown> {
  const safe: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(members)) {
    safe[['ts', 'kind', 'level', 'msg', '__proto__'].includes(name) ? `${name}_` : name] = value
  }
  return safe
}

// Audit events are written as they are stored: whoever records one keeps secrets out of it, and only length is cut here.
export function createAuditWriter(stream: LineOutput = standardOutput): (event: object) => void {
  return (event) => stream.write(auditLine(event))
}

function auditLine(event: object): string {
  const line: Record<string, unknown> = { ...event, kind: 'audit' }
  let isFlat = true
  for (const name in line) {
    const value = line[name]
    if (typeof value === 'string') line[name] = truncateText(value)
    else if (typeof value === 'bigint' || (typeof value === 'object' && value !== null)) isFlat = false
  }
  // Events are flat; asking a function about every member would cost more than all the rest.
  const json = isFlat ? JSON.stringify(line) : JSON.stringify(line, cutValue)
  return `${escapeLine(json)}\n`
}

function cutValue(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  return typeof value === 'string' ? truncateText(value) : value
}

export const writeAuditLine: (event: object) => void = createAuditWriter()

/** Many lines with one call to the system. */
export function writeAuditLines(events: object[]): void {
  if (events.length > 0) standardOutput.write(events.map(auditLine).join(''))
}

export function countDroppedLines(): number {
  return standardOutput.droppedLines()
}
