// `gatehouse audit verify`: checks exported audit trails without a server, a database or any configuration.
// Contract 6.6; the files come from GET /events/export, the arithmetic from domain/events/chain/proof.
// Called by app/cli.ts.
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { type AidIo, processIo, UsageError } from '../token-aid/io.ts'
import { type GivenKey, readGivenKey } from './given-key.ts'
import { showReports } from './show-report.ts'
import { type ExportReport, verifyExport } from './verify-export.ts'

const auditUsage = `gatehouse audit verify <file…>

  checks exports of the audit trail: every hash, every seal, the manifest; several files must follow one another
    --key ID|FILE          the audit key you noted outside: its id, or a file with it (JWK or PEM).
                           Without it the key in the file is believed, which shows damage but no forgery
    --json                 print the result as JSON

Exit codes: 0 good, 1 something is wrong, 2 the command cannot be understood.
`

export async function runAuditAid(args: string[], io: AidIo = processIo()): Promise<number> {
  const [command = 'help', ...rest] = args
  if (command !== 'verify' || rest.includes('--help')) {
    io.print(auditUsage.trimEnd())
    return command === 'help' || rest.includes('--help') ? 0 : 2
  }
  try {
    return await runVerify(io, rest)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    io.tell(`gatehouse audit verify: ${error.message}`)
    return 2
  }
}

async function runVerify(io: AidIo, args: string[]): Promise<number> {
  const { values, positionals } = parse(args)
  if (positionals.length === 0) throw new UsageError('give a file that GET /events/export wrote')
  const given = values.key === undefined ? null : await readKey(values.key)
  const reports: ExportReport[] = []
  for (const file of positionals) reports.push(await verifyReadable(file, given, reports.at(-1) ?? null))
  if (values.json) io.print(JSON.stringify(reports, null, 2))
  else for (const line of showReports(reports, given !== null)) io.print(line)
  return reports.every(({ broken }) => broken === null) ? 0 : 1
}

async function verifyReadable(...[file, ...rest]: Parameters<typeof verifyExport>): Promise<ExportReport> {
  try {
    return await verifyExport(file, ...rest)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    throw new UsageError(`${file} cannot be read (${code})`)
  }
}

function parse(args: string[]) {
  try {
    const options = { key: { type: 'string' }, json: { type: 'boolean', default: false } } as const
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

async function readKey(text: string): Promise<GivenKey> {
  const content = await readFile(text, 'utf8').catch(() => null)
  const key = readGivenKey(content ?? text)
  if (!key) throw new UsageError('--key is the id of an audit key, or a file with its public key as JWK or PEM')
  return key
}
