// Where the engine is bent, one function for each bend: nothing but this file and internals-profiles.ts reaches into it.
// oidc-provider 9.13.3; what is changed here is outside its certification and proved by our own tests.
// Called by provider.ts when an issuer is made.
import { decodeProtectedHeader } from 'jose'
import { type Client, errors, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import ServerChallenge from 'oidc-provider/lib/helpers/challenge.js'
import { constantTimeEqual } from '../../platform/crypto/index.ts'
import type { FindClient } from './client-cache.ts'
import { clientFacts } from './client-metadata.ts'
import { matchesRedirectUri } from './redirect-uris.ts'
import { currentUnit } from './unit.ts'

/** The engine's context of the request that is being answered; undefined in jobs. */
export function engineContext(): KoaContextWithOIDC | undefined {
  return Provider.ctx as KoaContextWithOIDC | undefined
}

interface ClientClass {
  find(id: string): Promise<Client | undefined>
  prototype: {
    includeSid(): boolean
    compareClientSecret(actual: string): boolean
    redirectUriAllowed(value: string): boolean
    postLogoutRedirectUriAllowed(value: string): boolean
    backchannelLogout(this: Client, sub: string, sid: string): Promise<void>
  }
}

const delivering = new WeakMap<Provider, ClientClass['prototype']['backchannelLogout']>()

/** Clients: our matching of redirect URIs, two valid secrets while one is replaced, `sid` in every token of a session. */
export function bendClients(
  provider: Provider,
  rules: {
    namesOwnSubject(client: Client): boolean
    admit(ctx: KoaContextWithOIDC, clientId: string): Promise<void>
    find: FindClient
    now(): number
  },
): void {
  const Client = provider.Client as unknown as ClientClass
  const find = Client.find
  Client.find = async function findClient(id) {
    const ctx = engineContext()
    if (ctx) await rules.admit(ctx, id)
    const client = await rules.find(id, async () => {
      const made = await find.call(this, id)
      // The engine asks `pairwiseIdentifier` for the subject of such clients, and of those only.
      if (made && rules.namesOwnSubject(made)) (made as { subjectType?: string }).subjectType = 'pairwise'
      return made
    })
    if (client) passStructuredToken()
    return client
  }
  Client.prototype.includeSid = () => true
  Client.prototype.compareClientSecret = function compareClientSecret(this: Client, actual: string) {
    const { previousSecret } = clientFacts(this)!
    const isCurrent = constantTimeEqual(this.clientSecret ?? '', actual)
    const isPrevious = previousSecret !== null && constantTimeEqual(previousSecret.secret, actual)
    const inTime = previousSecret !== null && rules.now() < previousSecret.expiresAt
    return (isCurrent && Boolean(this.clientSecret)) || (isPrevious && inTime)
  }
  Client.prototype.redirectUriAllowed = function redirectUriAllowed(this: Client, value: string) {
    return matchesRedirectUri(this.redirectUris ?? [], value)
  }
  Client.prototype.postLogoutRedirectUriAllowed = function postLogoutRedirectUriAllowed(this: Client, value: string) {
    return matchesRedirectUri((this.postLogoutRedirectUris as string[] | undefined) ?? [], value)
  }
  // Logout tokens are sent by jobs that try again; at the end of a session nobody waits for applications.
  delivering.set(provider, Client.prototype.backchannelLogout)
  Client.prototype.backchannelLogout = async () => undefined
}

/** Sends a logout token to a client, with the engine's own making of it. */
export async function deliverLogout(provider: Provider, client: Client, userId: string, sid: string): Promise<void> {
  await delivering.get(provider)!.call(client, userId, sid)
}

// No base64url text begins with it, so the engine does not take what follows for a JWT.
const structuredMark = '*'

/** Introspection and revocation refuse JWTs; ours are marked, and our own `find` takes the mark off again. */
function passStructuredToken(): void {
  const oidc = engineContext()?.oidc
  if (!oidc || (oidc.route !== 'introspection' && oidc.route !== 'revocation')) return
  const token = oidc.params?.token
  if (typeof token === 'string' && token.split('.').length === 3 && !token.startsWith(structuredMark)) {
    oidc.params!.token = structuredMark + token
  }
}

export function withoutMark(value: string): string | null {
  const text = value.startsWith(structuredMark) ? value.slice(1) : value
  return text.split('.').length === 3 ? text : null
}

interface SessionClass {
  get(ctx: KoaContextWithOIDC): Promise<unknown>
  find(token: string): Promise<object | undefined>
  instantiate(payload?: object): object
  prototype: { resetIdentifier(this: { touched: boolean }): void }
}

/** Sessions are made and renewed by signing in, never by the engine; a cookie that opens nothing is left alone. */
export function bendSessions(provider: Provider, readCookie: (ctx: KoaContextWithOIDC) => string | null): void {
  const Session = provider.Session as unknown as SessionClass
  Session.get = async function get(ctx) {
    const token = readCookie(ctx)
    const found = token ? await this.find(token) : undefined
    const session = found ?? Object.assign(this.instantiate(), { transient: true })
    if (ctx.oidc) ctx.oidc.entity('Session', session as never)
    return session
  }
  Session.prototype.resetIdentifier = function resetIdentifier() {
    this.touched = true
  }
}

interface ClaimsClass {
  prototype: {
    available: Record<string, unknown>
    filter: Record<string, unknown>
    client: Client
    ctx: KoaContextWithOIDC | undefined
    rejected(value?: string[]): void
    result(): Promise<Record<string, unknown>>
  }
}

/** What a token says is decided by our mappers, per client; the engine's table of claims for each scope knows no clients. */
export function bendClaims(
  provider: Provider,
  subjectOf: (ctx: KoaContextWithOIDC | undefined, userId: string, client: Client) => Promise<string>,
): void {
  const { prototype } = (provider as unknown as { Claims: ClaimsClass }).Claims
  prototype.rejected = function rejected(value = []) {
    for (const claim of value) if (claim !== 'sub') delete this.available[claim]
  }
  prototype.result = async function result() {
    const claims = Object.fromEntries(Object.entries(this.available).filter(([, value]) => value !== undefined))
    const isPairwise = (this.client as { subjectType?: string }).subjectType === 'pairwise'
    if (isPairwise && typeof claims.sub === 'string') claims.sub = await subjectOf(this.ctx, claims.sub, this.client)
    return claims
  }
}

/** Single use across nodes: the engine looks and then writes, which two requests at once both pass (S30). */
export function bendReplayDetection(
  provider: Provider,
  use: (issuer: string, jti: string, expSeconds: number) => Promise<boolean>,
): void {
  const ReplayDetection = provider.ReplayDetection as unknown as {
    unique(issuer: string, jti: string, exp: number): Promise<boolean>
  }
  ReplayDetection.unique = use
}

/** What is signed with the same key is told apart by its type: an access or logout token is no ID token (S29). */
export function bendIdTokens(provider: Provider): void {
  const IdToken = provider.IdToken as unknown as { validate(jwt: string, client: Client): Promise<unknown> }
  const validate = IdToken.validate
  IdToken.validate = async function validateIdToken(jwt, client) {
    const { typ } = decodeProtectedHeader(jwt)
    if (typ !== undefined && typ !== 'JWT') throw new errors.InvalidRequest('id_token_hint is not an ID token')
    // CIBA takes `sub` for the account itself, which it is not where people are called by another name.
    const isAccount = (client as { subjectType?: string }).subjectType !== 'pairwise'
    if (!isAccount && engineContext()?.oidc.route === 'backchannel_authentication') {
      throw new errors.InvalidRequest('this client cannot name people by id_token_hint; send login_hint')
    }
    return validate.call(this, jwt, client)
  }
}

interface TokenClass {
  find(value: string, options?: { ignoreExpiration?: boolean }): Promise<unknown>
  prototype: { destroy(): Promise<void>; jti: string; exp: number }
}

export interface FoundTokens {
  /** A model of the class, or undefined when the token is no good. */
  findAccessToken(token: string): Promise<object | undefined>
  findClientToken(token: string): Promise<object | undefined>
  revoke(jti: string, expSeconds: number): Promise<void>
}

/** Access tokens that are JWTs: found by their signature and what the database says of them, revoked by their name. */
export function bendTokens(provider: Provider, tokens: FoundTokens): void {
  const bend = (Token: TokenClass, find: (token: string) => Promise<object | undefined>) => {
    Token.find = async (value) => {
      const token = typeof value === 'string' ? withoutMark(value) : null
      return token === null ? undefined : find(token)
    }
    Token.prototype.destroy = async function destroy() {
      await tokens.revoke(this.jti, this.exp)
    }
  }
  bend(provider.AccessToken as unknown as TokenClass, tokens.findAccessToken)
  bend(provider.ClientCredentials as unknown as TokenClass, tokens.findClientToken)
  const RefreshToken = provider.RefreshToken as unknown as TokenClass
  const findRefreshToken = RefreshToken.find
  RefreshToken.find = async function find(value, options) {
    // A JWT is never a refresh token: no need to look.
    return withoutMark(value) === null ? findRefreshToken.call(this, value, options) : undefined
  }
}

/** A replay within its grace is answered with the same successor instead of another rotation. */
export function isReplay(): boolean {
  return currentUnit()?.replay !== null && currentUnit() !== undefined
}

/** The nonces of a realm, as the engine makes and checks them: a client may show at one place what it was given at another. */
export function createNonces(secret: Buffer): { next(): string; check(nonce: string): boolean } {
  const challenges = new ServerChallenge(secret, 'DPoP')
  return { next: () => challenges.nextChallenge(), check: (nonce) => challenges.checkChallenge(nonce) }
}

export { errors }

/** The steps that the engine's own grants are made of, for ours: their checks of keys and resources are not written twice. */
export * as grantSteps from 'oidc-provider/lib/helpers/grants.js'
