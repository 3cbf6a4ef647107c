import type { Chain, Generator, Job, Load } from '../generator/index.ts'
import { plainRequest } from '../measure/plain-connection.ts'
import { readProcessorMs } from '../measure/server.ts'
import { type Code, type Contender, forEach, redirectUri } from './contender.ts'

export const kinds = ['client_credentials', 'code', 'refresh', 'introspection', 'userinfo', 'jwks'] as const
export type Kind = (typeof kinds)[number]

// Fewer than there are refresh tokens; enough to keep one server process busy.
export const connections = 16
// Codes live a minute at ours: no more than are made and redeemed in that time.
const maxCodes = 4000
const codesPerSecond = 500
const tokens = 500

const codeRequest = ({ place, code, verifier }: Code) =>
  plainRequest(
    `${place.base}/token`,
    { authorization: place.web },
    { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier },
  )

/** What the generator sends for one kind of work at one contender; what it needs is made before. */
export async function makeJob(contender: Contender, kind: Kind, seconds: number): Promise<Job> {
  const load: Load = { url: contender.url, connections, seconds }
  const list = (requests: string[], mustContain?: string): Job => ({ kind: 'list', ...load, requests, mustContain })
  const { places } = contender
  switch (kind) {
    case 'client_credentials': {
      const form = { grant_type: 'client_credentials' }
      return list(
        places.map(({ base, machine }) => plainRequest(`${base}/token`, { authorization: machine }, form)),
        'access_token',
      )
    }
    case 'code': {
      const codes = await contender.makeCodes(Math.min(maxCodes, Math.ceil(seconds * codesPerSecond)))
      // Each code once, however long it takes.
      return { kind: 'list', ...load, seconds: 3600, requests: codes.map(codeRequest), once: true }
    }
    case 'refresh':
      return { kind: 'refresh', ...load, chains: contender.chains }
    case 'introspection': {
      const made = await contender.makeTokens(tokens)
      const requests = made.map(({ place, token }) =>
        plainRequest(`${place.base}/introspect`, { authorization: place.web }, { token }),
      )
      return list(requests, '"active":true')
    }
    case 'userinfo': {
      const made = await contender.makeTokens(tokens)
      return list(
        made.map(({ place, token }) => plainRequest(`${place.base}/userinfo`, { authorization: `Bearer ${token}` })),
        '"sub"',
      )
    }
    case 'jwks':
      return list(
        places.map(({ base }) => plainRequest(`${base}/.well-known/jwks.json`, {})),
        '"keys"',
      )
  }
}

// As many as are measured at once: thousands would only be told to come back later.
const chainsAtOnce = 16

/** Redeems one code for every refresh token that will be in use. */
export async function startChains(contender: Contender, count: number): Promise<void> {
  const codes = await contender.makeCodes(count)
  const chains: Chain[] = []
  await forEach(codes, chainsAtOnce, async (code, at) => {
    chains[at] = await startChain(contender.url, code)
  })
  contender.chains = chains
}

async function startChain(url: string, { place, code, verifier }: Code): Promise<Chain> {
  const path = `${place.base}/token`
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier }
  const headers = { authorization: place.web }
  const answer = await fetch(url + path, { method: 'POST', headers, body: new URLSearchParams(form) })
  if (!answer.ok) throw new Error(`no tokens: ${answer.status} ${await answer.text()}`)
  const made = (await answer.json()) as { access_token: string; refresh_token: string }
  return { path, authorization: place.web, refreshToken: made.refresh_token, accessToken: made.access_token }
}

/** One run; refresh tokens go on from where it left them. */
export async function runJob(generator: Generator, contender: Contender, kind: Kind, seconds: number) {
  const job = await makeJob(contender, kind, seconds)
  const before = readProcessorMs(contender.pid)
  const outcome = await generator.run(job)
  if (kind === 'refresh') contender.chains = outcome.chains
  return { ...outcome, processorMs: (readProcessorMs(contender.pid) - before) / outcome.done }
}
