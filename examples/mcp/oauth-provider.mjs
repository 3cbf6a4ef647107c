import { randomBytes } from 'node:crypto'
import { describeClient } from './client-metadata.mjs'

/** @typedef {import('@modelcontextprotocol/client').OAuthClientProvider} OAuthClientProvider */
/** @typedef {import('@modelcontextprotocol/client').OAuthDiscoveryState} DiscoveryState */
/** @typedef {import('@modelcontextprotocol/client').StoredOAuthClientInformation} ClientInformation */

/**
 * What the SDK needs to sign somebody in: who this client is, where it keeps things, and how it asks a person. Discovery, PKCE, the
 * resource parameter, `iss`, refreshing and stepping up are the SDK's.
 * @param {{
 *   store: ReturnType<typeof import('./store.mjs').openStore>
 *   redirectUrl: string
 *   metadataUrl: string | undefined
 *   registered: ClientInformation | undefined
 *   ask: (url: URL, state: string) => void
 * }} options
 * @returns {OAuthClientProvider & { forgetSignIn(): void }}
 */
export function createProvider({ store, redirectUrl, metadataUrl, registered, ask }) {
  /** One sign-in: all of it belongs together and ends together. @type {{ state?: string, verifier?: string, discovered?: DiscoveryState }} */
  let signIn = {}
  let issuer = ''
  return {
    redirectUrl,
    ...(metadataUrl ? { clientMetadataUrl: metadataUrl } : {}),
    clientMetadata: describeClient(),
    state: () => (signIn.state = randomBytes(24).toString('base64url')),

    clientInformation: (context) => registered ?? store.findClient(context?.issuer ?? issuer),
    // Without this the SDK knows that there is no other client to be had than the one it was given.
    ...(registered
      ? {}
      : {
          saveClientInformation: (client, context) => store.saveClient(context?.issuer ?? issuer, client),
        }),
    tokens: () => store.findTokens(),
    saveTokens: (tokens) => store.saveTokens(tokens),
    invalidateCredentials: (what) => {
      if (what === 'client' || what === 'all') store.saveClient(issuer, undefined)
      if (what === 'tokens' || what === 'all') store.saveTokens(undefined)
    },

    saveDiscoveryState: (discovered) => {
      assertUsable(discovered)
      issuer = discovered.authorizationServerMetadata?.issuer ?? ''
      signIn.discovered = discovered
    },
    discoveryState: () => signIn.discovered,
    saveCodeVerifier: (verifier) => void (signIn.verifier = verifier),
    codeVerifier: () => signIn.verifier ?? '',
    redirectToAuthorization: (url) => ask(url, signIn.state ?? ''),
    // The next question looks again who answers for the server: that may have changed.
    forgetSignIn: () => void (signIn = {}),
  }
}

/** What the specification demands and the SDK leaves to its caller. @param {DiscoveryState} discovered */
function assertUsable({ resourceMetadata, authorizationServerMetadata: issuer }) {
  if (!resourceMetadata) throw new Error('The server does not say who issues its tokens (RFC 9728).')
  if (!issuer) throw new Error('The issuer of the server has no metadata (RFC 8414, OpenID Connect Discovery).')
  if (!issuer.code_challenge_methods_supported?.includes('S256')) {
    throw new Error(`${issuer.issuer} does not say that it supports PKCE with S256.`)
  }
}
