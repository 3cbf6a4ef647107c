import { z } from 'zod'

const realm = z.object({ realm: z.string() })

export const registerPageDescription = {
  tags: ['sign-in'],
  summary: 'The registration page',
  description:
    'With `token` the page of the mailed link; looking does not use it. Permission: public, where the realm allows it.',
  params: realm,
  querystring: z.object({ token: z.string().optional().describe('From the mail.') }),
  produces: ['text/html'],
  response: {
    200: z.string().describe('HTML'),
    404: z.null().describe('Registration is switched off.'),
    409: z.null().describe('The realm has no way to send mail.'),
  },
  security: [],
}

export const registerDescription = {
  tags: ['sign-in'],
  summary: 'Register, or finish a registration with the mailed link',
  description:
    'The answer is the same whether or not the address has an account; the account exists once the link was used. Permission: ' +
    'public, where the realm allows it.',
  params: realm,
  consumes: ['application/x-www-form-urlencoded', 'application/json'],
  body: z.object({
    email: z.string().optional(),
    firstName: z.string().optional(),
    lastName: z.string().optional(),
    newPassword: z.string().optional(),
    confirmPassword: z.string().optional(),
    accept: z.string().optional().describe('`true` where the realm has terms.'),
    token: z.string().optional(),
    _csrf: z.string(),
  }),
  produces: ['text/html'],
  response: {
    200: z.string().describe('HTML'),
    400: z.string().describe('HTML: what is wrong stands beside its field'),
    429: z.null().describe('Too many requests from this address.'),
  },
  security: [],
}
