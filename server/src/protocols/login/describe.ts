import { z } from 'zod'

const realm = z.object({ realm: z.string() })

export const loginPageDescription = {
  tags: ['sign-in'],
  summary: 'The sign-in page',
  description: 'Sets the cookie XSRF-TOKEN. Permission: public.',
  params: realm,
  querystring: z.object({ redirect: z.string().optional().describe('A path of this server to go to afterwards.') }),
  produces: ['text/html'],
  response: { 200: z.string().describe('HTML') },
  security: [],
}

export const loginDescription = {
  tags: ['sign-in'],
  summary: 'Sign in',
  description:
    'Form or JSON. On success 303 to the console, or 200 with JSON for `Accept: application/json`. A required action answers 200 with ' +
    '`challengeId` and `requiredAction`, a second factor 200 with `mfaRequired`, `challengeId` and `methods`; send the next step ' +
    'with that `challengeId`. Rotates the CSRF token. Permission: public.',
  params: realm,
  consumes: ['application/x-www-form-urlencoded', 'application/json'],
  body: z.object({
    username: z.string().optional().describe('Username or e-mail address.'),
    password: z.string().optional(),
    _csrf: z.string().describe('The value of the cookie XSRF-TOKEN.'),
    rememberMe: z.string().optional(),
    challengeId: z.string().optional(),
    method: z.string().optional().describe('Another second factor: one of `methods`.'),
    code: z.string().optional().describe('The code of a second factor.'),
    qr: z.string().optional().describe('`true` shows a QR code, where the flow offers it.'),
    resend: z.string().optional().describe('`true` sends or asks once more.'),
    assertion: z.unknown().optional().describe('What the authenticator answered (WebAuthn), as an object or as text.'),
    newPassword: z.string().optional(),
  }),
  response: {
    200: z.object({
      userId: z.string().optional(),
      username: z.string().optional(),
      realmId: z.string().optional(),
      expiresAt: z.int().optional(),
      mfaRequired: z.boolean(),
      challengeId: z.string().optional(),
      methods: z.array(z.string()).optional().describe('Credentials that would do as the second factor.'),
      requiredAction: z.string().optional(),
      waiting: z
        .boolean()
        .optional()
        .describe('Another device has to answer: send the `challengeId` again after `pollSeconds`.'),
      pollSeconds: z.int().optional(),
      number: z.int().nullable().optional().describe('The number to name on the other device.'),
      address: z.string().nullable().optional().describe('What the other device reads, as a QR code or a link.'),
    }),
    303: z.null().describe('Signed in; Location is where to go.'),
    401: z.null().describe('Wrong username or password; one answer for every reason.'),
    403: z.null().describe('CSRF token missing or stale.'),
    429: z.null().describe('Too many failed sign-ins from this address.'),
  },
  security: [],
}

export const waitingDescription = {
  tags: ['sign-in'],
  summary: 'How a sign-in that waits for another device stands',
  description:
    'For the script of the page: when it is READY, the form is sent and tells what became of it. Permission: the browser of the sign-in.',
  params: realm,
  querystring: z.object({ signIn: z.string() }),
  response: { 200: z.object({ state: z.enum(['WAITING', 'SCANNED', 'READY']) }) },
  security: [],
}

export const logoutDescription = {
  tags: ['sign-in'],
  summary: 'Sign out',
  description:
    'Ends the realm session of this browser; while an administrator acts as somebody only that session, and their own stays. Needs the CSRF token as `_csrf` or X-XSRF-TOKEN. Permission: a session.',
  params: realm,
  consumes: ['application/x-www-form-urlencoded', 'application/json'],
  response: { 204: z.null(), 303: z.null() },
  security: [{ session: [], csrf: [] }],
}

export const linkPageDescription = {
  tags: ['sign-in'],
  summary: 'Look at a mailed link',
  description: 'Shows a button; looking does not use the link. Permission: public.',
  params: realm,
  querystring: z.object({ token: z.string().optional() }),
  produces: ['text/html'],
  response: { 200: z.string().describe('HTML'), 400: z.string().describe('HTML: used, too old or unknown') },
  security: [],
}

export const linkDescription = {
  tags: ['sign-in'],
  summary: 'Use a mailed link',
  description: 'Goes on with the sign-in that the link is for. Permission: the link.',
  params: realm,
  consumes: ['application/x-www-form-urlencoded', 'application/json'],
  body: z.object({ token: z.string().optional(), _csrf: z.string() }),
  produces: ['text/html'],
  response: { 200: z.string().describe('HTML: the next step'), 303: z.null(), 400: z.string().describe('HTML') },
  security: [],
}
