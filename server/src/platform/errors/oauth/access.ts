import type { OauthErrorKind } from './kind.ts'

/** Codes of resources that take access tokens, of proofs of possession, and of registration. */
export const accessCodes = {
  invalid_token: {
    status: 401,
    title: 'The token is not accepted',
    standard: 'RFC 6750, 3.1',
    places: ['userinfo', 'api', 'connect/register'],
    explanation: 'The token has ended, was revoked, is not for this audience, or is not a token of this issuer.',
    remedy: 'Run `gatehouse token inspect` on it; then refresh once, or sign in again.',
    causes: [
      { cause: 'It has ended: access tokens live five minutes.', remedy: 'Refresh shortly before `exp`.' },
      {
        cause:
          '`aud` is not this resource: without `resource` a token is for the issuer itself and opens /userinfo only.',
        remedy: 'Ask with `resource`, and allow it at the client (`allowedResources`).',
      },
      {
        cause: 'An ID token was sent in place of an access token.',
        remedy: 'Send `access_token`; its header has `typ: at+jwt`.',
      },
      {
        cause: 'It is bound to a key (`cnf`) and came as a bearer token.',
        remedy: 'Send `Authorization: DPoP …` with a proof in the header `DPoP`.',
      },
      { cause: 'The session ended, or the person or the client was disabled.', remedy: 'Sign in again.' },
      {
        cause:
          'At /connect/register: the initial access token or the registration access token is used up, has ended, or is missing.',
        remedy: 'Ask an administrator for a new initial access token.',
      },
    ],
  },
  insufficient_scope: {
    status: 403,
    title: 'The token is good, but not for this',
    standard: 'RFC 6750, 3.1',
    places: ['userinfo', 'api'],
    explanation: 'The token lacks a scope that this resource needs.',
    remedy: 'Ask for the scope that the answer names, and send the person through /authorize again.',
    causes: [
      { cause: '/userinfo needs `openid`.', remedy: 'Add `openid` to the scopes of the authorization request.' },
      {
        cause: 'The scope was not asked for, or the person did not agree to it.',
        remedy: 'Compare `scope` of the token with what you asked for.',
      },
    ],
  },
  insufficient_user_authentication: {
    status: 401,
    title: 'A fresher or stronger sign-in is needed',
    standard: 'RFC 9470, 3',
    places: ['api'],
    explanation: 'The token is good, but the sign-in behind it is too old or too weak for this action.',
    remedy: 'Send the person through /authorize with the `acr_values` or `max_age` of the answer, then repeat.',
    causes: [
      {
        cause:
          'Changes of credentials, of the e-mail address and deletion at /account need a sign-in within five minutes.',
        remedy: 'Ask with `max_age=300`.',
      },
    ],
  },
  invalid_dpop_proof: {
    status: 400,
    title: 'The proof of possession is not valid',
    standard: 'RFC 9449, 5 and 7.1',
    places: ['token', 'par', 'userinfo', 'api', 'bc-authorize'],
    explanation: 'The JWT in the header `DPoP` is missing, is not for this request, or was used before.',
    remedy: 'Run `gatehouse token inspect` on the proof with `--method` and `--url`.',
    causes: [
      {
        cause: '`htm` or `htu` are not the method and the address of this request.',
        remedy: 'Make a proof for every request; `htu` without query and fragment, as the client sees the address.',
      },
      {
        cause: '`iat` is too far from the time of this service.',
        remedy: 'Set the clock of the machine, and make the proof right before the request.',
      },
      {
        cause: 'At an API: `ath` is not the hash of the access token.',
        remedy: 'Put base64url(SHA-256(token)) into `ath`.',
      },
      { cause: '`jti` was used before.', remedy: 'Use a new random one in every proof.' },
      {
        cause: 'The client has `dpopBoundAccessTokens` or `securityProfile: FAPI2` and sent no proof.',
        remedy: 'Switch DPoP on in the library.',
      },
    ],
  },
  use_dpop_nonce: {
    status: 400,
    title: 'The proof needs our nonce',
    standard: 'RFC 9449, 8',
    places: ['token', 'par', 'userinfo', 'api', 'bc-authorize'],
    explanation: 'The proof must carry the nonce of the header `DPoP-Nonce`.',
    remedy: 'Put the value of the header `DPoP-Nonce` into `nonce` of a new proof and repeat the request once.',
    causes: [
      {
        cause: 'The proof has no nonce, an old one, or the clock of the client is off.',
        remedy: 'Keep the newest `DPoP-Nonce` of every answer for the next request.',
      },
    ],
  },
  invalid_client_metadata: {
    status: 400,
    title: 'The client cannot be registered like that',
    standard: 'RFC 7591, 3.2.2',
    places: ['connect/register'],
    explanation:
      'A member of the registration, or of the document that describes the client, is not allowed or contradicts another.',
    remedy: 'Read `error_description`: it names the member.',
    causes: [
      {
        cause: 'A grant type, scope or way to authenticate that this realm does not let applications register.',
        remedy: 'Leave it out, or ask for an initial access token that allows it.',
      },
      {
        cause: '`jwks` and `jwks_uri` together, a private key in `jwks`, or `private_key_jwt` without keys.',
        remedy: 'Send public keys, in one of the two.',
      },
    ],
  },
} satisfies Record<string, OauthErrorKind>
