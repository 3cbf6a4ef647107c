import { z } from 'zod'

const parameters = z.object({ realm: z.string(), uid: z.string() })

export const consentPageDescription = {
  tags: ['sign-in'],
  summary: 'The consent page of a request',
  description: 'Opens only in the browser where the request began. Permission: a session.',
  params: parameters,
  produces: ['text/html'],
  response: { 200: z.string().describe('HTML'), 404: z.null().describe('The request has ended or began elsewhere.') },
  security: [{ session: [] }],
}

export const consentDescription = {
  tags: ['sign-in'],
  summary: 'Answer what an application asks for',
  description: 'Needs the CSRF token as `_csrf`. Leads back to the application. Permission: a session.',
  params: parameters,
  consumes: ['application/x-www-form-urlencoded'],
  body: z.object({ decision: z.enum(['allow', 'deny', 'switch']), _csrf: z.string() }),
  response: { 303: z.null(), 403: z.null(), 404: z.null() },
  security: [{ session: [], csrf: [] }],
}
