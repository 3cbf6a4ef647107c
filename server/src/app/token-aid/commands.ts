import { type ParseArgsConfig, parseArgs } from 'node:util'
import { cleanToken, expectableKinds, type TokenKind } from './decode.ts'
import { explainError, type MetError, readErrorAnswer, readErrorUrl } from './explain.ts'
import { inspectToken } from './inspect.ts'
import { type AidIo, UsageError } from './io.ts'
import { toPlainJson } from './paint.ts'
import { type Grant, grants, requestToken } from './request.ts'
import { describeExplanation } from './show-explanation.ts'
import { showReport, showReportAsJson } from './show-report.ts'

const json = { type: 'boolean', default: false } as const
const text = { type: 'string' } as const

const inspectOptions = {
  issuer: text,
  audience: text,
  client: text,
  scope: text,
  nonce: text,
  as: text,
  'dpop-proof': text,
  method: text,
  url: text,
  offline: { type: 'boolean', default: false },
  json,
} as const

export async function runInspect(io: AidIo, args: string[]): Promise<number> {
  const { values, positionals } = parse({ args, options: inspectOptions, allowPositionals: true })
  const [given, ...more] = positionals
  if (given === undefined || more.length > 0)
    throw new UsageError('give one token, or - to read it from standard input')
  const token = cleanToken(given === '-' ? await io.readInput() : given)
  const { 'dpop-proof': proof, as, json: asJson, ...rest } = values
  const expected = { ...rest, as: readKind(as), proof: proof === undefined ? undefined : cleanToken(proof) }
  const report = await inspectToken(token, expected, io.now)
  if (asJson) showReportAsJson(io, report)
  else showReport(io, report)
  return report.good ? 0 : 1
}

function readKind(as: string | undefined): TokenKind | undefined {
  const known = expectableKinds.find((kind) => kind === as)
  if (as === undefined || known) return known
  throw new UsageError(`--as is one of ${expectableKinds.join(', ')}`)
}

const explainOptions = { url: text, json } as const

export async function runExplain(io: AidIo, args: string[]): Promise<number> {
  const { values, positionals } = parse({ args, options: explainOptions, allowPositionals: true })
  const told = explainError(await readMetError(io, values.url, positionals))
  if (values.json) io.print(toPlainJson(told))
  else for (const line of describeExplanation(io, told)) io.print(line)
  return told.known ? 0 : 1
}

async function readMetError(io: AidIo, url: string | undefined, [code, ...words]: string[]): Promise<MetError> {
  if (url !== undefined) return readErrorUrl(url)
  if (code !== undefined && code !== '-') return { code, description: words.join(' ') }
  if (code === undefined && !io.isPiped)
    throw new UsageError('give an error code, --url, or an answer on standard input')
  return readErrorAnswer(await io.readInput())
}

const requestOptions = {
  issuer: text,
  client: text,
  grant: text,
  scope: text,
  resource: { type: 'string', multiple: true },
  'secret-stdin': { type: 'boolean', default: false },
  auth: text,
  json,
  raw: { type: 'boolean', default: false },
} as const

export async function runRequest(io: AidIo, args: string[]): Promise<number> {
  if (args.some((argument) => /^--(client-)?secret(=|$)/.test(argument))) {
    throw new UsageError('a secret among the arguments is seen by everybody: --secret-stdin or GATEHOUSE_CLIENT_SECRET')
  }
  const { values } = parse({ args, options: requestOptions })
  const { issuer, client, grant = 'client_credentials', scope, auth = 'basic' } = values
  if (!issuer || !client) throw new UsageError('--issuer and --client are needed')
  if (!(grants as readonly string[]).includes(grant)) throw new UsageError(`--grant is one of ${grants.join(', ')}`)
  if (auth !== 'basic' && auth !== 'post') throw new UsageError('--auth is basic or post')
  return requestToken(io, {
    issuer,
    client,
    grant: grant as Grant,
    scope,
    resource: values.resource ?? [],
    secretOnInput: values['secret-stdin'],
    method: auth,
    output: values.raw ? 'raw' : values.json ? 'json' : 'text',
  })
}

/** Options it does not know are told in a sentence, not with a trace. */
function parse<Config extends ParseArgsConfig>(config: Config): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config)
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}
