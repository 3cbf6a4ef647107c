import { z } from 'zod'

const html = { produces: ['text/html'] }
const decision = z.enum(['allow', 'deny', 'switch'])
const form = { consumes: ['application/x-www-form-urlencoded'] }
const session = { security: [{ session: [] }] }
const sessionForm = { ...form, security: [{ session: [], csrf: [] }] }
const page = z.string().describe('HTML')

const device = { tags: ['sign-in'], params: z.object({ realm: z.string() }), ...html }
const codeAnswers = {
  200: page,
  303: z.null().describe('To the sign-in.'),
  400: z.string().describe('The code is not known, over or used.'),
  410: z.string().describe('Somebody answered before.'),
  429: z.string().describe('Too many wrong codes.'),
}

export const devicePageDescription = {
  ...{ ...device, ...session },
  summary: 'Type the code that a device shows',
  description:
    'RFC 8628 section 3.3. With `user_code` (verification_uri_complete) the request is shown at once. Permission: a session.',
  querystring: z.object({ user_code: z.string().max(64).optional(), lang: z.string().optional() }),
  response: codeAnswers,
}

export const deviceDescription = {
  ...{ ...device, ...sessionForm },
  summary: 'Look at, allow or refuse the request of a device',
  description:
    'Needs the CSRF token as `_csrf`. Without `decision` the request is shown. Wrong codes are counted for the person and the address. Permission: a session.',
  body: z.object({ user_code: z.string().max(64), decision: decision.optional(), _csrf: z.string() }),
  response: codeAnswers,
}

export const qrDescription = {
  tags: ['sign-in'],
  summary: 'The address of the device page as a QR code',
  description:
    'A picture of verification_uri_complete for devices that have a screen and no library for it. Permission: public.',
  params: z.object({ realm: z.string() }),
  querystring: z.object({ user_code: z.string().max(64) }),
  produces: ['image/svg+xml'],
  security: [],
  response: { 200: z.string().describe('SVG') },
}

const approve = { tags: ['sign-in'], params: z.object({ realm: z.string(), id: z.string() }), ...html }
const approvalAnswers = {
  200: page,
  303: z.null().describe('To the sign-in.'),
  410: z.string().describe('There is nothing to answer here for this person.'),
}

export const approvalPageDescription = {
  ...{ ...approve, ...session },
  summary: 'Look at a request that waits for an answer',
  description: 'CIBA Core 1.0. Opens only for the person who is asked. Permission: a session.',
  response: approvalAnswers,
}

export const approvalDescription = {
  ...{ ...approve, ...sessionForm },
  summary: 'Allow or refuse a request that waits for an answer',
  description: 'Needs the CSRF token as `_csrf`. Permission: a session.',
  body: z.object({ decision: decision.optional(), _csrf: z.string() }),
  response: approvalAnswers,
}
