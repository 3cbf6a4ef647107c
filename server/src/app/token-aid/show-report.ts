import type { Check } from './check.ts'
import { type Json, kindNames } from './decode.ts'
import type { Report } from './inspect.ts'
import type { AidIo } from './io.ts'
import { alignRows, indentFirst, paint, toPlainJson, toPlainText, wrapText } from './paint.ts'
import { describeTime, isTime } from './times.ts'

const timeClaims = new Set(['exp', 'iat', 'nbf', 'auth_time', 'updated_at'])

export function showReport(io: AidIo, report: Report): void {
  io.print(paint(io, 'bold', kindNames[report.kind]))
  if (report.header && report.claims) {
    for (const [title, members] of [
      ['Header', report.header],
      ['Claims', report.claims],
    ] as const) {
      io.print(`\n${title}`)
      for (const line of alignRows(describeMembers(members, io.now()), io.columns)) io.print(line)
    }
  }
  io.print('\nChecks')
  const width = Math.max(...report.checks.map(({ name }) => name.length))
  for (const check of report.checks) for (const line of describeCheck(io, check, width)) io.print(line)
  const failed = report.checks.filter(({ ok }) => ok === false).length
  if (failed > 0) io.print(`\n${paint(io, 'red', `${failed} ${failed === 1 ? 'check' : 'checks'} failed.`)}`)
  else if (report.claims) io.print(`\n${paint(io, 'green', 'No check failed.')}`)
}

export function showReportAsJson(io: AidIo, report: Report): void {
  io.print(toPlainJson(report))
}

function describeMembers(members: Json, nowMs: number): [string, string][] {
  return Object.entries(members).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    const shown = timeClaims.has(name) && isTime(value) ? describeTime(value, nowMs) : text
    return [toPlainText(name), toPlainText(shown)]
  })
}

function describeCheck(io: AidIo, { name, ok, text, remedy }: Check, width: number): string[] {
  const mark = ok === null ? paint(io, 'dim', '–') : ok ? paint(io, 'green', '✓') : paint(io, 'red', '✗')
  const indent = width + 6
  const lines = wrapText(toPlainText(text), io.columns, indent)
  const advice = remedy === undefined || ok === true ? null : `→ ${toPlainText(remedy)}`
  return [
    `  ${mark} ${name.padEnd(width)}  ${lines[0]}`,
    ...lines.slice(1),
    ...(advice === null ? [] : indentFirst(indent, wrapText(advice, io.columns, indent + 2))).map((line) =>
      paint(io, 'dim', line),
    ),
  ]
}
