import type { Chain, Job, Load } from '../generator/index.ts'
import { plainRequest } from '../measure/plain-connection.ts'

/** One product with the same clients and people as the other: where it is asked, and as whom. */
export interface Peer {
  name: string
  url: string
  paths: { authorization: string; token: string; introspection: string; userinfo: string; jwks: string }
  /** `Authorization` of the client that speaks for itself, and of the one that signs people in. */
  machine: string
  web: string
  people: { username: string; password: string }[]
  /** Refresh tokens in use, kept from one round to the next. */
  chains: Chain[]
  stop(): Promise<void>
}

export const redirectUri = 'https://app.example.org/callback'
export const kinds = ['client_credentials', 'refresh', 'introspection', 'userinfo', 'jwks', 'sign-in'] as const
export type Kind = (typeof kinds)[number]

// Fewer than there are people, so that nobody signs in twice at a moment and no refresh token is used by two.
export const connections = 16

/** What the generator sends for one kind of work. The tokens are those of the refresh chains, the newest ones. */
export async function makeJob(peer: Peer, kind: Kind, seconds: number): Promise<Job> {
  const { url, paths, machine, web } = peer
  const load: Load = { url, connections, seconds }
  const list = (requests: string[], mustContain: string): Job => ({ kind: 'list', ...load, requests, mustContain })
  switch (kind) {
    case 'client_credentials':
      return list([machineRequest(peer)], 'access_token')
    case 'refresh':
      return { kind: 'refresh', ...load, chains: peer.chains }
    case 'introspection': {
      const tokens = await Promise.all(Array.from({ length: connections }, () => fetchMachineToken(peer)))
      const requests = tokens.map((token) => plainRequest(paths.introspection, { authorization: machine }, { token }))
      return list(requests, '"active":true')
    }
    case 'userinfo': {
      const tokens = peer.chains.map((chain) => chain.accessToken)
      return list(
        tokens.map((token) => plainRequest(paths.userinfo, { authorization: `Bearer ${token}` })),
        '"sub"',
      )
    }
    case 'jwks':
      return list([plainRequest(paths.jwks, {})], '"keys"')
    case 'sign-in':
      return {
        kind: 'sign-in',
        ...load,
        authorizationPath: paths.authorization,
        tokenPath: paths.token,
        clientId: 'web',
        authorization: web,
        redirectUri,
        people: peer.people,
      }
  }
}

const machineForm = { grant_type: 'client_credentials' }
const machineRequest = ({ paths, machine }: Peer) => plainRequest(paths.token, { authorization: machine }, machineForm)

async function fetchMachineToken({ url, paths, machine }: Peer): Promise<string> {
  const headers = { authorization: machine }
  const answer = await fetch(url + paths.token, { method: 'POST', headers, body: new URLSearchParams(machineForm) })
  if (!answer.ok) throw new Error(`no token: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { access_token: string }).access_token
}
