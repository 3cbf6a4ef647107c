import type { OauthErrorKind } from './kind.ts'

/** Codes that an authorization request ends with, at /authorize or when it is pushed to /par. */
export const authorizationCodes = {
  access_denied: {
    status: 400,
    title: 'The person or a policy said no',
    standard: 'RFC 6749, 4.1.2.1; RFC 8628, 3.5; CIBA 11',
    places: ['authorize', 'token', 'bc-authorize', 'connect/register'],
    explanation: 'Somebody refused the request, or a rule of the realm does not allow it.',
    remedy: 'Say so to the person and do not send them back at once.',
    causes: [
      {
        cause:
          'The person pressed “deny” on the consent page, on the page of the device, or on the request they were asked to approve.',
        remedy: 'Nothing to mend; ask for fewer scopes if people refuse often.',
      },
      {
        cause: 'At /bc-authorize: too many requests to this person wait for an answer or were refused.',
        remedy: 'Wait until they are answered or over; ask once for one thing.',
      },
      {
        cause: 'At /token with token exchange: `may_act` of the subject token names somebody else.',
        remedy: 'Let the party that it names exchange it.',
      },
      {
        cause: 'At /connect/register: the realm does not let applications register themselves.',
        remedy: 'Switch registration on in the realm’s /provisioning, or create the client with the admin API.',
      },
    ],
  },
  login_required: {
    status: 400,
    title: 'Somebody must sign in first',
    standard: 'OpenID Connect Core, 3.1.2.6',
    places: ['authorize'],
    explanation: 'The request had `prompt=none`, and nobody is signed in, or not in the way that was asked for.',
    remedy: 'Start again without `prompt=none`.',
    causes: [
      {
        cause:
          'The session of the person has ended, or the browser did not send its cookie (an iframe on another site never does).',
        remedy: 'Send the person through /authorize in the top window.',
      },
      {
        cause: '`max_age` or `acr_values` ask for a fresher or stronger sign-in than the session has.',
        remedy: 'Start again without `prompt=none`; the person is asked for what is missing.',
      },
    ],
  },
  consent_required: {
    status: 400,
    title: 'The person has not agreed yet',
    standard: 'OpenID Connect Core, 3.1.2.6',
    places: ['authorize'],
    explanation: 'The request had `prompt=none`, and the person has not agreed to all that is asked for.',
    remedy: 'Start again without `prompt=none`.',
    causes: [
      {
        cause:
          'The client has `consentRequired`, and a scope is new since the person agreed, or consent was taken back.',
        remedy: 'Ask in the top window, or switch `consentRequired` off for an application of your own.',
      },
    ],
  },
  interaction_required: {
    status: 400,
    title: 'The person must be asked something',
    standard: 'OpenID Connect Core, 3.1.2.6',
    places: ['authorize', 'token'],
    explanation: 'This request cannot be answered without showing the person a page.',
    remedy: 'Send the person through /authorize, without `prompt=none`.',
    causes: [
      {
        cause:
          'At /token with the grants `password` and `token-exchange`: the client has `consentRequired`, and the person has not agreed to what it asks for.',
        remedy: 'Let the person sign in to the application once in the browser.',
      },
      {
        cause: 'The client is a native application: it can be imitated, so the person always sees who asks.',
        remedy: 'Do not use `prompt=none` in native applications; keep a refresh token instead.',
      },
    ],
  },
  unmet_authentication_requirements: {
    status: 400,
    title: 'The sign-in cannot be as strong as asked',
    standard: 'OpenID Connect Core Error Code unmet_authentication_requirements 1.0',
    places: ['authorize', 'token'],
    explanation: 'An essential `acr` was asked for that this realm or this person cannot reach.',
    remedy: 'Ask for a class of `acr_values_supported`, or as a wish with `acr_values` instead of an essential claim.',
    causes: [
      {
        cause: 'No class of that name is known here.',
        remedy:
          'Compare with `acr_values_supported` in the discovery document; `acrAliases` in the realm’s settings adds names.',
      },
      {
        cause: 'The flow of the realm has no step that gives this class, or the person has not enrolled the factor.',
        remedy: 'Add the step to the browser or step-up flow, or let people enrol first.',
      },
    ],
  },
  unsupported_response_type: {
    status: 400,
    title: 'Only the code flow is spoken here',
    standard: 'RFC 6749, 4.1.2.1',
    places: ['authorize', 'par'],
    explanation: 'The `response_type` is not `code`.',
    remedy: 'Send `response_type=code` with PKCE; tokens never travel through the browser.',
    causes: [
      {
        cause: 'The library is set to the implicit or hybrid flow (`token`, `id_token`, `code id_token`).',
        remedy: 'Set it to the authorization code flow with PKCE.',
      },
    ],
  },
  unsupported_response_mode: {
    status: 400,
    title: 'The answer cannot be sent that way',
    standard: 'OAuth 2.0 Multiple Response Types, 2.1',
    places: ['authorize', 'par'],
    explanation: 'The `response_mode` is not one this service knows.',
    remedy: 'Send `query` or `form_post`, or leave it out.',
    causes: [
      {
        cause: 'The library asks for `fragment` or `web_message`.',
        remedy: 'Leave `response_mode` out, or choose one of `response_modes_supported`.',
      },
    ],
  },
  request_not_supported: {
    status: 400,
    title: 'Request objects are not taken here',
    standard: 'OpenID Connect Core, 3.1.2.6; RFC 9101',
    places: ['authorize', 'par', 'bc-authorize'],
    explanation: 'The parameter `request` was sent to an endpoint that does not take signed requests.',
    remedy: 'Send the parameters plainly, or push them to /par.',
    causes: [
      {
        cause: 'Signed requests are not among what the discovery document offers (`request_parameter_supported`).',
        remedy: 'Switch request objects off in the library.',
      },
    ],
  },
  invalid_request_object: {
    status: 400,
    title: 'The signed request is not valid',
    standard: 'RFC 9101, 6.3',
    places: ['authorize', 'par', 'bc-authorize'],
    explanation:
      'The JWT in `request` cannot be read, its signature does not fit the client’s keys, or its claims are not right.',
    remedy: 'Run `gatehouse token inspect` on the JWT, then compare its `iss`, `aud`, `exp` and `kid` with the client.',
    causes: [
      {
        cause: 'The key that signed is not in the client’s `jwks` or `jwksUri`.',
        remedy: 'Add the public key there with the `kid` of the JWT’s header.',
      },
      {
        cause: '`aud` is not the issuer, or `iss` is not the `client_id`.',
        remedy: 'Set `aud` to the issuer and `iss` to the `client_id`.',
      },
      {
        cause: 'It has ended, or has no `exp` or `nbf` where FAPI 2.0 wants them.',
        remedy: 'Sign a new one for every request, valid for a minute.',
      },
    ],
  },
  request_uri_not_supported: {
    status: 400,
    title: 'Requests are not fetched from addresses',
    standard: 'OpenID Connect Core, 3.1.2.6; RFC 9126',
    places: ['authorize', 'par', 'bc-authorize'],
    explanation: 'The `request_uri` is not one that /par gave out.',
    remedy: 'Push the request to /par and send the `request_uri` of its answer.',
    causes: [
      {
        cause: 'The application hosts the request itself (`request_uri=https://…`), which this service never fetches.',
        remedy: 'Push it to `pushed_authorization_request_endpoint` instead.',
      },
    ],
  },
  invalid_request_uri: {
    status: 400,
    title: 'The pushed request is not there any more',
    standard: 'RFC 9101, 6.3; RFC 9126, 4',
    places: ['authorize'],
    explanation: 'The `request_uri` of a pushed request has ended, was used before, or was pushed by another client.',
    remedy: 'Push the request again and send the person on at once.',
    causes: [
      {
        cause: 'More than a minute passed between the push and the redirect.',
        remedy: 'Push when the person presses the button, not when the page is built.',
      },
      {
        cause: 'The address was opened twice, for instance by a reload or a link preview.',
        remedy: 'Begin every attempt with a new push.',
      },
    ],
  },
  registration_not_supported: {
    status: 400,
    title: 'Clients do not register in a request',
    standard: 'OpenID Connect Core, 3.1.2.6',
    places: ['authorize', 'par'],
    explanation: 'The parameter `registration` was sent; it belongs to self-issued providers.',
    remedy: 'Leave it out, and register the client beforehand.',
    causes: [
      {
        cause: 'The library is set up for a self-issued provider.',
        remedy: 'Set it up for a normal issuer with a client identifier.',
      },
    ],
  },
} satisfies Record<string, OauthErrorKind>
