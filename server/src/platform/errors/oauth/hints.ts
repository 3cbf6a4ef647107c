import type { OauthHint } from './kind.ts'

/** Descriptions that say more than their code. The first that fits is told; a test finds each in the code that answers it. */
export const oauthHints: OauthHint[] = [
  {
    says: 'requires PKCE to be used',
    cause: 'The client must use PKCE: its `requirePkce` is on, or it is a public client.',
    remedy: 'Send `code_challenge` and `code_challenge_method=S256`, and `code_verifier` at /token.',
  },
  {
    says: 'code_challenge_method must be provided',
    cause: '`code_challenge` came without its method, which would mean `plain`.',
    remedy: 'Send `code_challenge_method=S256`.',
  },
  {
    says: 'not supported value of code_challenge_method',
    cause: 'Only `S256` is accepted; `plain` protects nobody.',
    remedy: 'Send `code_challenge_method=S256`.',
  },
  {
    says: 'redirect_uri did not match',
    cause: 'The address is not, letter by letter, one of the client’s `redirectUris`.',
    remedy: 'Compare scheme, host, port, path and the slash at the end; register exactly what is sent.',
  },
  {
    says: 'Pushed Authorization Request must be used',
    cause: 'The client has `requirePushedAuthorizationRequests`, or the profile `FAPI2`, which asks for it.',
    remedy: 'Send the parameters to /par and only `client_id` and `request_uri` to /authorize.',
  },
  {
    says: 'Request Object must be used',
    cause: 'The client must sign its requests.',
    remedy: 'Send the parameters as a JWT in `request`, signed with a key of the client’s `jwks`.',
  },
  {
    says: 'FAPI 2.0',
    cause:
      'The client has `securityProfile: FAPI2`: PAR, private_key_jwt with the issuer alone as `aud`, DPoP, and PS256, ES256 or EdDSA.',
    remedy: 'Bring the library to that profile, or set `securityProfile` to `DEFAULT`.',
  },
  {
    says: 'bound to a key: send a DPoP proof',
    cause: 'The client has `dpopBoundAccessTokens`, and the request came without a proof.',
    remedy: 'Send a proof in the header `DPoP`, or switch the setting off.',
  },
  {
    says: 'the header DPoP is missing',
    cause: 'The token is bound to a key, and the request came without a proof of it.',
    remedy: 'Send `Authorization: DPoP …` and a proof in the header `DPoP`.',
  },
  {
    says: 'bound to a key: send it as DPoP',
    cause: 'The token is bound to a key, and came as a bearer token.',
    remedy: 'Send `Authorization: DPoP …` and a proof in the header `DPoP`.',
  },
  {
    says: 'not bound to a key: send it as Bearer',
    cause: 'The token is a bearer token, and came with the scheme DPoP.',
    remedy: 'Send it as Bearer, or send a proof to /token already, so that the token is bound.',
  },
  {
    says: 'bound to another key',
    cause: 'The proof was made with another key than the one the token is bound to (`cnf.jkt`).',
    remedy: 'Keep the key pair that was used at /token as long as the token.',
  },
  {
    says: 'Replay detected',
    cause: 'A proof with this `jti` was used before.',
    remedy: 'Make a new proof for every request, also when one is repeated.',
  },
  {
    says: 'htu mismatch',
    cause: '`htu` of the proof is not the address of this endpoint, as the discovery document gives it.',
    remedy: 'Sign the public address, without query and fragment. Behind a proxy that is not the inner one.',
  },
  {
    says: 'htm mismatch',
    cause: '`htm` of the proof is not the method of this request.',
    remedy: 'Make one proof for each request.',
  },
  {
    says: 'ath mismatch',
    cause: '`ath` is not the hash of the access token in this request.',
    remedy: 'Put base64url(SHA-256(token)) into `ath` of a new proof.',
  },
  {
    says: 'iat is not recent enough',
    cause: 'The proof was made too long ago, or the clock of the client is off.',
    remedy: 'Set the clock, and make the proof right before the request.',
  },
  {
    says: 'nonce is required in the DPoP proof',
    cause: 'The first request of a client has no nonce yet; this is how it learns it.',
    remedy: 'Repeat with the value of the header `DPoP-Nonce` as `nonce` of a new proof.',
  },
  {
    says: 'invalid DPoP key binding',
    cause:
      'The proof cannot be verified: no public `jwk` in its header, a private one, `typ` is not `dpop+jwt`, or the signature does not fit.',
    remedy: 'Run `gatehouse token inspect` on the proof.',
  },
  {
    says: 'thumbprint does not match dpop_jkt',
    cause: 'The authorization request named one key in `dpop_jkt`, and another one signed the proof.',
    remedy: 'Use one key pair for the whole attempt.',
  },
  {
    says: 'requested grant type is not allowed for this client',
    cause: 'The grant type is not among the client’s `grantTypes`.',
    remedy: 'Add it: `PATCH /clients/{clientId}` with `grantTypes`.',
  },
  {
    says: 'the client_assertion lives longer than',
    cause: '`exp` of the assertion is too far from its `iat`.',
    remedy: 'Sign a new assertion for every request, for a minute.',
  },
  {
    says: 'aud of the client_assertion must be',
    cause: '`aud` of the assertion is not the issuer as the discovery document names it.',
    remedy: 'Set `aud` to the issuer, letter by letter, and to nothing else.',
  },
  {
    says: 'cannot sign in with a password alone',
    cause:
      'The password is wrong, or the person has a second factor, an open task or is disabled; the answer does not say which.',
    remedy: 'Prefer the authorization code flow: it asks people for what is missing.',
  },
  {
    says: 'has not allowed this client what it asks for',
    cause: 'The client has `consentRequired`, and this grant has no page to ask on.',
    remedy: 'Let the person sign in to the application in the browser once.',
  },
  {
    says: 'token exchange is for clients that authenticate',
    cause: 'The client is public: anybody could say that they are it.',
    remedy: 'Use a confidential client for token exchange.',
  },
  {
    says: 'not a token that this client can exchange',
    cause: 'The token has ended, was revoked, is no access token of this realm, or is not meant for this client.',
    remedy: 'Exchange a token whose `aud` or `client_id` is this client; run `gatehouse token inspect` on it.',
  },
  {
    says: 'holds none of the requested scopes',
    cause: 'An exchange can only make less of a token, never more.',
    remedy: 'Ask for scopes that the subject token has.',
  },
  {
    says: 'binding_message has 1 to',
    cause: 'The message is too long, or has characters that cannot be shown safely.',
    remedy: 'Send what a person can compare at a glance, such as W4SCT.',
  },
  {
    says: 'refused the request',
    cause: 'The person pressed “deny”.',
    remedy: 'Nothing to mend; ask for fewer scopes if people refuse often.',
  },
  {
    says: 'too many requests to this person',
    cause: 'Requests to the same person wait for an answer, or were refused.',
    remedy: 'Wait until they are answered or over.',
  },
  {
    says: 'too many failed',
    cause: 'There were many wrong credentials for this client or person in a short time.',
    remedy: 'Correct them, then wait as many seconds as `Retry-After` says.',
  },
  {
    says: 'requested response_type is not allowed for this client',
    cause: 'The client has no `authorization_code` among its `grantTypes`, or no `redirectUris`.',
    remedy: 'Add both.',
  },
  {
    says: 'missing required parameter',
    cause: 'The request lacks the parameter that is named.',
    remedy: 'Send it once, in the body of a POST or in the query of a GET.',
  },
  {
    says: 'must not be provided twice',
    cause: 'The same parameter is there more than once.',
    remedy: 'Send it once; look for a proxy or form that adds it again.',
  },
  {
    says: 'does not match the registered client authentication method',
    cause: 'The client proves itself in another way than its `tokenEndpointAuthMethod` says.',
    remedy: 'Change the library or the setting, so that both say the same.',
  },
  {
    says: 'client authentication must only be provided using one mechanism',
    cause: 'The secret came twice, in the header and in the body.',
    remedy: 'Send it in one way, that of `tokenEndpointAuthMethod`.',
  },
  {
    says: 'client_secret must be provided in the Authorization header',
    cause: 'The header has the `client_id` and an empty secret: often a variable that is not set.',
    remedy: 'Send the secret of the client; a public client sends `client_id` in the body and no header.',
  },
  {
    says: 'no access token provided',
    cause: 'The request came without a token, or a proxy took the header away.',
    remedy: 'Send `Authorization: Bearer` with the access token.',
  },
  {
    says: 'no client authentication mechanism provided',
    cause: 'A confidential client sent neither a secret nor an assertion.',
    remedy: 'Send its credentials; who cannot keep a secret is a public client (`publicClient`).',
  },
  {
    says: 'may not ask for tokens for this resource',
    cause: '`resource` is not among the client’s allowed resources.',
    remedy:
      '`PUT /clients/{clientId}/allowed-resources` with the address, letter by letter; for clients that came by themselves `dcrAllowedResources` of `/provisioning`.',
  },
  {
    says: 'content-type bodies are supported',
    cause: 'The body is of another kind than this endpoint reads.',
    remedy: 'Send `Content-Type: application/x-www-form-urlencoded`.',
  },
  {
    says: 'request_uri is invalid, expired, or was already used',
    cause: 'The pushed request ended after a minute, or was opened before.',
    remedy: 'Push again and send the person on at once.',
  },
  {
    says: 'unsupported prompt value requested',
    cause: 'The value of `prompt` is not known here.',
    remedy: 'Choose from `prompt_values_supported` in the discovery document.',
  },
  {
    says: 'not allowed for client:',
    cause: 'A browser sent the request from a page whose origin the client does not list.',
    remedy: 'Add the origin to the client’s `webOrigins`; `+` stands for those of its redirect URIs.',
  },
  {
    says: 'the requested authentication class cannot be reached',
    cause: 'No step of the realm’s flows gives this `acr`, or the person has no such factor.',
    remedy: 'Compare with `acr_values_supported`.',
  },
]
