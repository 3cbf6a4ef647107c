import type { OauthErrorKind } from './kind.ts'

/** Codes of the token endpoint and of the requests that a person answers on another device. */
export const tokenCodes = {
  invalid_grant: {
    status: 400,
    title: 'The code, token or password is worth nothing',
    standard: 'RFC 6749, 5.2',
    places: ['token'],
    explanation:
      'What was to be exchanged was used before, has ended, was revoked, or belongs to another client; or the PKCE verifier or the `redirect_uri` does not fit.',
    remedy: 'Send the person through /authorize again; do not repeat the same request.',
    causes: [
      {
        cause:
          'The code was redeemed twice, or more than 60 seconds after it was given. A second use ends the tokens of the first.',
        remedy: 'Redeem a code once, at once; look for a page that is loaded twice.',
      },
      {
        cause: '`code_verifier` is not the one whose S256 hash was sent as `code_challenge`.',
        remedy: 'Keep the verifier with the `state` of the same attempt; several tabs need several.',
      },
      {
        cause: '`redirect_uri` differs from the one of the authorization request.',
        remedy: 'Send the same text in both.',
      },
      {
        cause:
          'The refresh token was replaced (each use gives a new one), unused for longer than `refreshTokenIdleSeconds`, or its session ended.',
        remedy:
          'Store the new refresh token before using the access token; ask for `offline_access` to outlive the session.',
      },
      {
        cause: 'The person was disabled, consent was taken back, or the session was ended.',
        remedy: 'Let the person sign in again; the audit trail says which.',
      },
      {
        cause: 'The token is bound to another DPoP key than the one that proves this request.',
        remedy: 'Keep the key pair as long as the refresh token.',
      },
    ],
  },
  unauthorized_client: {
    status: 400,
    title: 'This client may not do that',
    standard: 'RFC 6749, 4.1.2.1 and 5.2',
    places: ['authorize', 'par', 'token', 'device_authorization', 'bc-authorize'],
    explanation: 'The client is known, but this way to get tokens is not open to it.',
    remedy: 'Add the grant to the client’s `grantTypes`.',
    causes: [
      {
        cause:
          'The grant type is not among the client’s `grantTypes` (`password`, `device`, `CIBA`, `token-exchange`).',
        remedy: 'Add it with `PATCH /clients/{clientId}`.',
      },
      {
        cause:
          'The grant is not meant for this kind of client: public clients have no service account and exchange no tokens.',
        remedy: 'Use a confidential client.',
      },
    ],
  },
  unsupported_grant_type: {
    status: 400,
    title: 'No such grant type',
    standard: 'RFC 6749, 5.2',
    places: ['token'],
    explanation: 'The `grant_type` is not one this service knows.',
    remedy: 'Choose one of `grant_types_supported` in the discovery document.',
    causes: [
      {
        cause:
          'The short name was sent where the standard has a long one: `device_code` is `urn:ietf:params:oauth:grant-type:device_code`.',
        remedy: 'Send the full name.',
      },
      { cause: '`implicit`, or a grant of another product.', remedy: 'Use the authorization code flow.' },
    ],
  },
  authorization_pending: {
    status: 400,
    title: 'The person has not answered yet',
    standard: 'RFC 8628, 3.5; CIBA 11',
    places: ['token'],
    explanation: 'Nothing is wrong: somebody must still enter the code, or approve the request.',
    remedy: 'Ask again after `interval` seconds, until `expires_in` is over.',
    causes: [
      { cause: 'The program polls, as it should.', remedy: 'Go on; show the person where to go and what to enter.' },
      {
        cause:
          'After /bc-authorize: nobody was told, because the person has no device and no verified e-mail address, or the realm has no provider.',
        remedy: 'Look at the person’s `emailVerified` and at `GET /messaging/providers`.',
      },
    ],
  },
  slow_down: {
    status: 400,
    title: 'Polling too fast',
    standard: 'RFC 8628, 3.5; CIBA 11',
    places: ['token'],
    explanation: 'The program asked again before `interval` seconds were over.',
    remedy: 'Add 5 seconds to the interval, for this and all later requests.',
    causes: [
      {
        cause: 'The program ignores `interval`, or two of its processes poll with the same code.',
        remedy: 'One poller for each code, with the interval of the answer.',
      },
    ],
  },
  expired_token: {
    status: 400,
    title: 'Nobody answered in time',
    standard: 'RFC 8628, 3.5; CIBA 11',
    places: ['token'],
    explanation: 'The device code or the request for approval has ended without an answer.',
    remedy: 'Begin again with a new code.',
    causes: [
      {
        cause: 'The person took longer than `expires_in` (600 seconds for a device, 120 for an approval).',
        remedy: 'Offer a new code; do not make one before somebody waits for it.',
      },
    ],
  },
  unknown_user_id: {
    status: 400,
    title: 'Nobody of that name can be asked',
    standard: 'CIBA 13',
    places: ['bc-authorize'],
    explanation: 'The hint does not name a person of this realm who can be asked.',
    remedy: 'Compare `login_hint` with the username or e-mail address of the person.',
    causes: [
      {
        cause: 'The person does not exist, or is disabled.',
        remedy: 'Look the person up in the admin API; the answer never says which.',
      },
    ],
  },
  invalid_binding_message: {
    status: 400,
    title: 'The binding message cannot be shown',
    standard: 'CIBA 13',
    places: ['bc-authorize'],
    explanation: 'The `binding_message` is too long or has characters that cannot be shown safely.',
    remedy: 'Send a short code of letters, digits and a few signs.',
    causes: [
      {
        cause: 'It holds a whole sentence, a line break or a picture sign.',
        remedy: 'Use what a person can compare at a glance, such as `W4SCT`.',
      },
    ],
  },
} satisfies Record<string, OauthErrorKind>
