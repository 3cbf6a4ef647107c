import { createReadStream } from 'node:fs'

// An event is some kilobytes; a line beyond this is no line of an export.
const maxLineBytes = 1024 * 1024

/** The lines of a file as they stand, without reading it whole. Only a line feed ends one: JSON may hold the other separators. */
export async function* readLines(file: string): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of createReadStream(file)) {
    rest = rest.length === 0 ? (chunk as Buffer) : Buffer.concat([rest, chunk as Buffer])
    let from = 0
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10, from)) {
      yield rest.subarray(from, end)
      from = end + 1
    }
    rest = rest.subarray(from)
    if (rest.length > maxLineBytes) throw new RangeError('a line is too long for an export of the audit trail')
  }
  if (rest.length > 0) yield rest
}
