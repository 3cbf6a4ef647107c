import { createHash, randomBytes } from 'node:crypto'
import type { Chain } from '../generator/index.ts'

export const redirectUri = 'https://app.example.org/callback'
export const requestedScope = 'openid profile email'

/** One issuer of a contender, with the two clients that all of them have. */
export interface Place {
  /** The path of the issuer; nothing for one that has a server to itself. */
  base: string
  /** `Authorization` of the client that speaks for itself, and of the one that signs people in. */
  machine: string
  web: string
}

export interface Code {
  place: Place
  code: string
  verifier: string
}

export interface Contender {
  name: string
  url: string
  /** Of its one server process. */
  pid: number
  places: Place[]
  /** Codes that nobody redeemed yet, spread over the places. */
  makeCodes(count: number): Promise<Code[]>
  /** Access tokens that userinfo and introspection take; the contender's own kind. */
  makeTokens(count: number): Promise<{ place: Place; token: string }[]>
  /** Refresh tokens in use, kept from one round to the next. */
  chains: Chain[]
  stop(): Promise<void>
}

export function makePkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

export function basicOf(clientId: string, secret: string): string {
  return `Basic ${Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`).toString('base64')}`
}

/** Does the work for every item, so many at once. */
export async function forEach<T>(items: T[], atOnce: number, work: (item: T, at: number) => Promise<void>) {
  let next = 0
  const lane = async () => {
    for (let at = next++; at < items.length; at = next++) await work(items[at]!, at)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane))
}
