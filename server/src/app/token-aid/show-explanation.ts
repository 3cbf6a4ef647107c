import type { Explanation } from './explain.ts'
import type { AidIo } from './io.ts'
import { alignRows, indentFirst, paint, toPlainText, wrapText } from './paint.ts'

/** For people; machines get the explanation as it is. */
export function describeExplanation(io: AidIo, told: Explanation): string[] {
  const { code, description, status, title, standard, places, likely, causes } = told
  const where = places.map((place) => (place === 'api' ? 'any API' : `/${place}`)).join(' ')
  const rows: [string, string][] = [
    ...(description === '' ? [] : [['The answer says', toPlainText(description)] satisfies [string, string]]),
    ['What happened', told.explanation],
    ...(likely ? [['Here that means', likely.cause] satisfies [string, string]] : []),
    ['What to do', likely?.remedy ?? told.remedy],
    ...(where === '' ? [] : [['Answered at', where] satisfies [string, string]]),
    ...(standard === null ? [] : [['Defined in', standard] satisfies [string, string]]),
  ]
  // Where the description says which cause it is, the others only distract.
  const others = likely ? [] : causes
  return [
    `${paint(io, 'bold', toPlainText(code))}${status === null ? '' : ` (${status})`}: ${title}`,
    '',
    ...alignRows(rows, io.columns),
    ...(others.length === 0 ? [] : ['', 'Usual causes']),
    ...others.flatMap(({ cause, remedy }) => [
      ...indentFirst(2, wrapText(`• ${cause}`, io.columns, 4)),
      ...indentFirst(4, wrapText(`→ ${remedy}`, io.columns, 6)).map((line) => paint(io, 'dim', line)),
    ]),
  ]
}
