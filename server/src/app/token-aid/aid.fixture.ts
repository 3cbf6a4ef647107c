import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'
import { runTokenAid } from './index.ts'

export interface Outcome {
  code: number
  out: string
  err: string
  waits: number[]
  /** The value of `--json`. */
  json(): Record<string, never> & { checks: { name: string; ok: boolean | null; text: string }[] }
  /** Names of the checks that failed. */
  failed(): string[]
}

export interface Surroundings {
  input?: string
  env?: Record<string, string>
  now?: () => number
  colour?: boolean
  /** Called instead of waiting, with what the person was told so far. */
  onWait?: (told: string) => Promise<void> | void
}

/** Runs a command as a terminal would, without one. */
export async function runAid(
  args: string[],
  { input, env = {}, now, colour, onWait }: Surroundings = {},
): Promise<Outcome> {
  const lines: string[] = []
  const told: string[] = []
  const waits: number[] = []
  // Waiting takes no time here, but the clock goes on.
  let waited = 0
  const code = await runTokenAid(args, {
    print: (line) => lines.push(line),
    tell: (line) => told.push(line),
    readInput: async () => input ?? '',
    isPiped: input !== undefined,
    env,
    columns: 100,
    colour: colour ?? false,
    now: () => (now?.() ?? Date.now()) + waited,
    async wait(ms) {
      waits.push(ms / 1000)
      waited += ms
      await onWait?.(told.join('\n'))
    },
  })
  const out = lines.join('\n')
  const json = () => JSON.parse(out) as ReturnType<Outcome['json']>
  const failed = () =>
    json()
      .checks.filter(({ ok }) => ok === false)
      .map(({ name }) => name)
  return { code, out, err: told.join('\n'), waits, json, failed }
}

export interface SmallIssuer {
  url: string
  /** What was asked of it: method, address, headers and body. */
  seen: string[]
  privateKey: CryptoKey
  sign(claims: JWTPayload, typ?: string): Promise<string>
  stop(): Promise<void>
}

type Extra = (
  request: IncomingMessage,
  body: string,
) => { status: number; body: unknown; headers?: Record<string, string> } | null

/** An issuer on loopback that is only what it must be, and can be as wrong as a test wants it. */
export async function startIssuer(
  metadata: (url: string) => Record<string, unknown> = () => ({}),
  answer: Extra = () => null,
): Promise<SmallIssuer> {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const jwk: JWK = { ...(await exportJWK(publicKey)), kid: 'small', alg: 'ES256' }
  const seen: string[] = []
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    seen.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)} ${body}`)
    const own = answer(request, body)
    const documents: Record<string, unknown> = {
      '/.well-known/openid-configuration': {
        issuer: url,
        jwks_uri: `${url}/keys`,
        token_endpoint: `${url}/token`,
        device_authorization_endpoint: `${url}/device`,
        id_token_signing_alg_values_supported: ['ES256'],
        ...metadata(url),
      },
      '/keys': { keys: [jwk] },
    }
    const found = own ?? { status: 200, body: documents[request.url ?? ''] ?? {} }
    response.writeHead(found.status, { 'content-type': 'application/json', ...own?.headers })
    response.end(typeof found.body === 'string' ? found.body : JSON.stringify(found.body))
  }
  const server = createServer((request, response) => void respond(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    seen,
    privateKey,
    sign: (claims, typ = 'at+jwt') =>
      new SignJWT({ iss: url, aud: url, sub: 'somebody', ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: 'small', typ })
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(privateKey),
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
