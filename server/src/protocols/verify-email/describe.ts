import { z } from 'zod'

const realm = z.object({ realm: z.string() })

export const verifyPageDescription = {
  tags: ['sign-in'],
  summary: 'The page of the link that proves an e-mail address',
  description: 'Looking does not use the link. Permission: public.',
  params: realm,
  querystring: z.object({ token: z.string().optional().describe('From the mail.') }),
  produces: ['text/html'],
  response: { 200: z.string().describe('HTML'), 400: z.string().describe('HTML: used, too old or unknown') },
  security: [],
}

export const verifyDescription = {
  tags: ['sign-in'],
  summary: 'Prove an e-mail address',
  description: 'The link proves the address it was sent to and signs nobody in. Permission: the link.',
  params: realm,
  consumes: ['application/x-www-form-urlencoded', 'application/json'],
  body: z.object({ token: z.string().optional(), _csrf: z.string() }),
  produces: ['text/html'],
  response: { 200: z.string().describe('HTML'), 400: z.string().describe('HTML') },
  security: [],
}
