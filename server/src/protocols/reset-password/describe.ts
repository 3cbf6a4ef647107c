import { z } from 'zod'

const realm = z.object({ realm: z.string() })

export const resetPageDescription = {
  tags: ['sign-in'],
  summary: 'The page for a forgotten password',
  description: 'With `token` the page of the mailed link; looking does not use it. Permission: public.',
  params: realm,
  querystring: z.object({ token: z.string().optional().describe('From the mail.') }),
  produces: ['text/html'],
  response: { 200: z.string().describe('HTML'), 409: z.null().describe('The realm has no way to send mail.') },
  security: [],
}

export const resetDescription = {
  tags: ['sign-in'],
  summary: 'Ask for a link to a new password, or use it',
  description:
    'The answer to `username` is the same whether or not anybody has that name. With `token` the sign-in goes on with any second ' +
    'factor and the new password. Permission: public.',
  params: realm,
  consumes: ['application/x-www-form-urlencoded', 'application/json'],
  body: z.object({
    username: z.string().optional().describe('Username or e-mail address.'),
    token: z.string().optional(),
    _csrf: z.string(),
  }),
  produces: ['text/html'],
  response: {
    200: z.string().describe('HTML'),
    303: z.null(),
    400: z.string().describe('HTML'),
    429: z.null().describe('Too many requests from this address.'),
  },
  security: [],
}
