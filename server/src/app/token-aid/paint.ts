import type { AidIo } from './io.ts'

export type Colour = 'green' | 'red' | 'dim' | 'bold'
const codes: Record<Colour, number> = { green: 32, red: 31, dim: 2, bold: 1 }

export function paint(io: AidIo, colour: Colour, text: string): string {
  return io.colour ? `\u001b[${codes[colour]}m${text}\u001b[0m` : text
}

/** What a token or a server says may hold escape sequences and marks of direction: a terminal must only ever show them. */
export function toPlainText(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`,
  )
}

/** JSON that is safe on a terminal as well and reads back as the same value. */
export function toPlainJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(/[\p{Cf}\p{Zl}\p{Zp}\u007f-\u009f]/gu, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}

/** Lines of at most `columns` characters; those after the first are indented, and a long word is never broken. */
export function wrapText(text: string, columns: number, indent: number): string[] {
  const room = Math.max(columns - indent, 30)
  const lines: string[] = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!
    if (line === '') lines[lines.length - 1] = word
    else if (line.length + 1 + word.length <= room) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines.map((line, at) => (at === 0 ? line : ' '.repeat(indent) + line))
}

/** What `wrapText` leaves to its caller: the margin of the first line. */
export function indentFirst(margin: number, [first = '', ...rest]: string[]): string[] {
  return [' '.repeat(margin) + first, ...rest]
}

/** Names in one column, values in the other. */
export function alignRows(rows: [name: string, value: string][], columns: number, margin = 2): string[] {
  const width = Math.max(0, ...rows.map(([name]) => name.length))
  return rows.flatMap(([name, value]) => {
    const [first = '', ...rest] = wrapText(value, columns, margin + width + 2)
    return [`${' '.repeat(margin)}${name.padEnd(width)}  ${first}`, ...rest]
  })
}
