// Bends of the engine for what profiles/ decides, one function for each; see internals.ts for the others.
// oidc-provider 9.13.3; what is changed here is outside its certification and proved by our own tests.
// Called by provider.ts when an issuer is made.
import type { Client, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { cibaGrant, deviceGrant } from './approvals/models.ts'
import { clientFacts } from './client-metadata.ts'
import { engineContext, errors } from './internals.ts'
import type { ClientKeys } from './profiles/client-keys.ts'
import { unprovenText, unpushedText } from './profiles/fapi.ts'

interface ClientClass {
  find(id: string): Promise<Client | undefined>
  prototype: {
    clientAuthMethod: string
    checkClientSecretExpiration(...message: string[]): void
    grantTypeAllowed(type: string): boolean
    redirectUriAllowed(value: string): boolean
  }
}

const classOf = (provider: Provider) => provider.Client as unknown as ClientClass

/** A secret comes in the one way that is registered; the engine takes basic for post and post for basic (S30). */
export function bendAuthMethods(provider: Provider): void {
  Object.defineProperty(classOf(provider).prototype, 'clientAuthMethod', {
    configurable: true,
    get(this: Client) {
      const method = this.tokenEndpointAuthMethod as string
      // No method of the engine's has this name, so it refuses.
      return isOtherWay(method, engineContext()) ? 'another-way' : method
    },
  })
}

function isOtherWay(method: string, ctx: KoaContextWithOIDC | undefined): boolean {
  if (method === 'client_secret_basic') return Boolean(ctx?.oidc.params?.client_secret)
  return method === 'client_secret_post' && /^basic /i.test(ctx?.headers.authorization ?? '')
}

/** RFC 6749 section 5.2: a client that cannot prove itself is answered 401, also when it is its secret that has ended. */
export function bendEndedSecrets(provider: Provider): void {
  const { prototype } = classOf(provider)
  const check = prototype.checkClientSecretExpiration
  prototype.checkClientSecretExpiration = function checkClientSecretExpiration(...message) {
    try {
      check.apply(this, message)
    } catch {
      throw new errors.InvalidClientAuth('the secret has ended')
    }
  }
}

const ownGrant: Record<string, string> = {
  device_authorization: deviceGrant,
  backchannel_authentication: cibaGrant,
}

/** RFC 6749 section 5.2: a client that may not use a grant is unauthorized; the engine calls its request invalid. */
export function bendGrantRefusals(provider: Provider): void {
  const { prototype } = classOf(provider)
  const isAllowed = prototype.grantTypeAllowed
  prototype.grantTypeAllowed = function grantTypeAllowed(type) {
    const allowed = isAllowed.call(this, type)
    const oidc = engineContext()?.oidc
    const asked = oidc?.route === 'token' ? oidc.params?.grant_type : ownGrant[oidc?.route ?? '']
    if (!allowed && asked === type) {
      throw new errors.UnauthorizedClient('requested grant type is not allowed for this client')
    }
    return allowed
  }
}

/** FAPI 2.0 section 5.3.2.2: exactly the registered address, with no freedom for the ports of loopback. */
export function bendExactRedirects(provider: Provider): void {
  const { prototype } = classOf(provider)
  const isAllowed = prototype.redirectUriAllowed
  prototype.redirectUriAllowed = function redirectUriAllowed(this: Client, value) {
    if (clientFacts(this)?.fapi) return (this.redirectUris ?? []).includes(value)
    return isAllowed.call(this, value)
  } as typeof isAllowed
}

/** The engine asks these two where it is about to refuse, and then says too little: here it is told what to do instead. */
export function bendRefusals(provider: Provider): void {
  const Client = classOf(provider)
  const find = Client.find
  const bent = new WeakSet<Client>()
  Client.find = async function findClient(id) {
    const client = await find.call(this, id)
    if (!client || bent.has(client)) return client
    bent.add(client)
    if (client.requirePushedAuthorizationRequests)
      askBefore(client, 'requirePushedAuthorizationRequests', refuseUnpushed)
    if (client.dpopBoundAccessTokens) askBefore(client, 'dpopBoundAccessTokens', refuseUnproven)
    return client
  }
}

type Refusal = (ctx: KoaContextWithOIDC, client: Client) => void

function askBefore(client: Client, member: string, refuse: Refusal): void {
  Object.defineProperty(client, member, {
    configurable: true,
    get() {
      const ctx = engineContext()
      if (ctx?.oidc) refuse(ctx, client)
      return true
    },
  })
}

function refuseUnpushed({ oidc }: KoaContextWithOIDC, client: Client): void {
  if (oidc.route !== 'authorization' || oidc.entities.PushedAuthorizationRequest) return
  throw new errors.InvalidRequest(unpushedText(client))
}

function refuseUnproven(ctx: KoaContextWithOIDC, client: Client): void {
  if (ctx.oidc.route !== 'token' || ctx.get('DPoP')) return
  throw new errors.InvalidDpopProof(unprovenText(client))
}

interface KeyStore {
  fresh(): boolean
  refresh(): Promise<void>
  clear(): void
  add(key: object): void
}

/**
 * Keys at an address of the client's. The engine asks again only for a key it does not know, only when its copy is old, and goes
 * on with an old copy otherwise; it believes any age the host names. Here a copy is renewed before it is used.
 */
export function bendClientKeys(provider: Provider, keys: ClientKeys): void {
  const Client = classOf(provider)
  const find = Client.find
  const filled = new WeakMap<KeyStore, object[]>()
  const fill = (store: KeyStore, current: object[]) => {
    if (filled.get(store) === current) return
    filled.set(store, current)
    store.clear()
    for (const key of current) store.add(key)
  }
  Client.find = async function findClient(id) {
    const client = await find.call(this, id)
    const uri = client?.jwksUri
    if (!client || !uri || !carriesSignature(engineContext())) return client
    const store = (client as unknown as { asymmetricKeyStore: KeyStore }).asymmetricKeyStore
    fill(store, await keys.current(client.clientId, uri))
    store.fresh = () => !keys.mayReadAgain(client.clientId, uri)
    store.refresh = async () => fill(store, await keys.readAgain(client.clientId, uri))
    return client
  }
}

/** Whether the request brings something that the client signed. */
function carriesSignature(ctx: KoaContextWithOIDC | undefined): boolean {
  const { body, params } = (ctx?.oidc ?? {}) as { body?: Record<string, unknown>; params?: Record<string, unknown> }
  return [body, params].some((sent) => sent?.client_assertion !== undefined || sent?.request !== undefined)
}
