// Where lines go: standard output, written whole and at once, and never able to take the process down.
import { writeSync } from 'node:fs'

export interface LineOutput {
  write(line: string): void
}

const standardOutput = 1
// A full pipe is retried this often, a millisecond apart; a reader that stalls longer loses lines instead of stopping sign-ins.
const maxRetries = 50

const sleeper = new Int32Array(new SharedArrayBuffer(4))

export interface StandardOutput extends LineOutput {
  droppedLines(): number
}

export function createStandardOutput(descriptor: number = standardOutput): StandardOutput {
  let dropped = 0
  // Set when a line broke off halfway: the next one then starts on a fresh line and stays readable.
  let brokenOff = false

  return {
    write(line) {
      const bytes = Buffer.from(brokenOff ? `\n${line}` : line)
      const written = writeFully(descriptor, bytes)
      if (written === bytes.length) {
        brokenOff = false
        return
      }
      // Broken pipe, full disk: there is nowhere left to complain to, so it is counted and the service goes on.
      dropped++
      brokenOff ||= written > 0
    },
    droppedLines: () => dropped,
  }
}

function writeFully(descriptor: number, bytes: Buffer): number {
  let written = 0
  let retries = 0
  while (written < bytes.length) {
    try {
      written += writeSync(descriptor, bytes, written)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || ++retries > maxRetries) break
      Atomics.wait(sleeper, 0, 0, 1)
    }
  }
  return written
}

// JSON already escapes CR, LF and ESC. These remain and can still turn a terminal or a line-based reader: the C1 controls
// (0x9b starts an ANSI sequence too), DEL, the Unicode line separators and the direction overrides. Outside strings they
// cannot occur in JSON, so that escaping them keeps the line valid.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const unsafeCharacters = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff]/g

export function escapeLine(json: string): string {
  return json.replace(unsafeCharacters, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
