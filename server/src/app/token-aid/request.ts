import type { Json } from './decode.ts'
import { requestByDevice } from './device.ts'
import { explainError } from './explain.ts'
import { inspectToken, type Report } from './inspect.ts'
import { type AidIo, UsageError } from './io.ts'
import { toPlainJson, toPlainText } from './paint.ts'
import { endpointOf, fetchRealm, parseWebAddress, type Realm, RemoteError } from './remote.ts'
import { describeExplanation } from './show-explanation.ts'
import { showReport } from './show-report.ts'
import { type Answered, type Credentials, sendForm } from './token-endpoint.ts'

export const grants = ['client_credentials', 'device'] as const
export type Grant = (typeof grants)[number]

export interface TokenRequest {
  issuer: string
  client: string
  grant: Grant
  scope?: string | undefined
  resource: string[]
  secretOnInput: boolean
  method: 'basic' | 'post'
  output: 'text' | 'json' | 'raw'
}

export async function requestToken(io: AidIo, request: TokenRequest): Promise<number> {
  const { issuer, client: clientId, method, output } = request
  if (!parseWebAddress(issuer)) throw new UsageError('--issuer needs an http or https address')
  const credentials: Credentials = { clientId, method, secret: await readSecret(io, request) }
  warnOfPlainText(io, credentials, issuer)
  const realm = await fetchRealm(issuer, io.now)
  if (realm.metadata.issuer !== issuer) {
    throw new RemoteError(`the discovery document names ${String(realm.metadata.issuer)}, not ${issuer}`)
  }
  const answer = await sendRequest(io, realm, credentials, request)
  if (!answer.ok) {
    const told = explainError(answer.error)
    if (output === 'json') io.print(toPlainJson(told))
    else for (const line of describeExplanation(io, told)) io.tell(line)
    return 1
  }
  return showTokens(io, request, answer.body)
}

function sendRequest(io: AidIo, realm: Realm, credentials: Credentials, request: TokenRequest): Promise<Answered> {
  const { grant, scope, resource } = request
  const asked: [string, string][] = [
    ...(scope === undefined ? [] : [['scope', scope] satisfies [string, string]]),
    ...resource.map((address): [string, string] => ['resource', address]),
  ]
  if (grant === 'device') return requestByDevice(io, realm, credentials, asked)
  return sendForm(endpointOf(realm, 'token_endpoint'), credentials, [['grant_type', grant], ...asked])
}

/** Never from the arguments: every process of the machine can read those. */
async function readSecret(io: AidIo, { secretOnInput }: TokenRequest): Promise<string | null> {
  if (!secretOnInput) return io.env.GATEHOUSE_CLIENT_SECRET || null
  const secret = (await io.readInput()).replace(/\r?\n$/, '')
  if (secret === '') throw new UsageError('there is no secret on standard input')
  return secret
}

function warnOfPlainText(io: AidIo, { secret }: Credentials, issuer: string): void {
  const { protocol, hostname } = new URL(issuer)
  const isLocal = ['127.0.0.1', '[::1]', 'localhost'].includes(hostname)
  if (secret !== null && protocol === 'http:' && !isLocal) {
    io.tell(`The secret goes to ${hostname} without encryption: use https, and regenerate it.`)
  }
}

async function showTokens(io: AidIo, { issuer, output }: TokenRequest, body: Json): Promise<number> {
  const tokens = ['access_token', 'id_token'].filter((member) => typeof body[member] === 'string')
  if (output === 'raw') {
    io.print(toPlainText(String(body.access_token)))
    return 0
  }
  const expected = { issuer, offline: false }
  const reports: [string, Report][] = []
  for (const member of tokens) reports.push([member, await inspectToken(body[member] as string, expected, io.now)])
  const { token_type: type, expires_in: expiresIn, scope } = body
  if (output === 'json') {
    io.print(toPlainJson({ token_type: type, expires_in: expiresIn, scope, ...Object.fromEntries(reports) }))
  } else {
    for (const [at, [, report]] of reports.entries()) {
      if (at > 0) io.print('')
      showReport(io, report)
    }
    if (typeof body.refresh_token === 'string') io.print('\nThere is a refresh token as well; it is not shown.')
  }
  return reports.every(([, { good }]) => good) ? 0 : 1
}
