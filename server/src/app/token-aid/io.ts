/** What the commands need of the process they run in; tests give their own. */
export interface AidIo {
  /** The result; machines read it. */
  print(line: string): void
  /** Progress and complaints, for the person at the terminal. */
  tell(line: string): void
  /** Everything on standard input, up to a limit. */
  readInput(): Promise<string>
  /** Standard input is a pipe or a file, not a keyboard. */
  isPiped: boolean
  env: Record<string, string | undefined>
  columns: number
  colour: boolean
  now(): number
  wait(ms: number): Promise<void>
}

/** A command that cannot be understood: exit code 2, with what to write instead. */
export class UsageError extends Error {}

// A token with many roles is some kilobytes; nobody pipes a megabyte in on purpose.
export const maxInput = 256 * 1024
const defaultColumns = 100

export function processIo(): AidIo {
  const { env, stdin, stdout, stderr } = process
  return {
    print: (line) => stdout.write(`${line}\n`),
    tell: (line) => stderr.write(`${line}\n`),
    readInput: readStdin,
    isPiped: !stdin.isTTY,
    env,
    columns: Math.min(stdout.columns ?? defaultColumns, defaultColumns),
    // https://no-color.org: any value but an empty one switches colours off.
    colour: Boolean(stdout.isTTY) && !env.NO_COLOR && env.TERM !== 'dumb',
    now: () => Date.now(),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  }
}

async function readStdin(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += chunk as string
    if (text.length > maxInput) throw new UsageError(`there is more than ${maxInput / 1024} KiB on standard input`)
  }
  return text
}
