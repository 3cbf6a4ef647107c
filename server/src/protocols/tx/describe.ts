import { z } from 'zod'
import { SignInput, Transaction, TransactionInput } from '../../domain/transactions/index.ts'

const tags = ['transactions']
const security = [{ bearer: [] }]
const realm = z.object({ realm: z.string() })
const one = z.object({ realm: z.string(), id: z.uuid() })
const refusal = (says: string) => z.null().describe(says)
const common = {
  401: refusal('No access token with the issuer in `aud`; `WWW-Authenticate` names the resource’s metadata.'),
  404: refusal('There is none of this id for this token.'),
}

export const createDescription = {
  tags,
  security,
  summary: 'Ask a person to sign a transaction',
  description:
    'RFC 9396, RFC 8785. An application’s own token names the person in `userId`; a person’s token asks that person. ' +
    'Limits: 600 a minute for an application, 50 that wait for a person. Audited as TX_CREATED. ' +
    'Permission: an access token with the issuer in `aud`.',
  params: realm,
  body: TransactionInput,
  response: {
    201: Transaction,
    400: refusal('Something in the body is not valid, or nobody of this id could sign.'),
    401: common[401],
    409: refusal('Too many transactions wait for this person.'),
    429: refusal('The application makes too many.'),
  },
}

export const readDescription = {
  tags,
  security,
  summary: 'Read a transaction',
  description:
    'For the application that made it, and for the person it is for: with any token that opens their account, or with one ' +
    'of that application. Permission: an access token with the issuer in `aud`.',
  params: one,
  response: { 200: Transaction, ...common },
}

export const signDescription = {
  tags,
  security: [{ bearer: [] }, { session: [], csrf: [] }] as Record<string, string[]>[],
  summary: 'Sign or reject a transaction',
  description:
    'As JSON with the person’s own access token. APPROVE needs `method` and its proof, which is counted as at the sign-in; ' +
    'REJECT needs none. As a form it is the answer of the page at this address, with the session and `_csrf`. ' +
    'Never for somebody who acts for the person. Audited as TX_SIGNED and TX_REJECTED. Permission: the person’s own.',
  params: one,
  consumes: ['application/json', 'application/x-www-form-urlencoded'],
  body: SignInput,
  response: {
    200: Transaction,
    303: refusal('Of the page: to the sign-in.'),
    400: refusal('Something in the body is not valid, or the person has no such method.'),
    ...common,
    403: refusal('Somebody acts for the person, the form is stale, or the proof does not reach `requiredAcr`.'),
    409: refusal('It was answered before, or its time is over.'),
    429: refusal('Too many wrong tries.'),
  },
}

export const signPageDescription = {
  tags,
  security: [{ session: [] }],
  summary: 'The page where a person reads and signs a transaction',
  description: 'Shows exactly what is hashed. Without a session a redirect to the sign-in. Permission: a session.',
  params: one,
  querystring: z.object({ lang: z.string().optional() }),
  produces: ['text/html'],
  response: {
    200: z.string().describe('HTML'),
    303: refusal('To the sign-in.'),
    404: refusal('There is none of this id for this person.'),
    410: z.string().describe('HTML: its time is over.'),
  },
}

export const consumeDescription = {
  tags,
  security,
  summary: 'Consume a signed transaction, once',
  description:
    'For the application that made it. Of many requests at once one gets 200. Audited as TX_CONSUMED. ' +
    'Permission: an access token of that application with the issuer in `aud`.',
  params: one,
  response: {
    200: Transaction,
    ...common,
    403: refusal('The person’s token belongs to another application.'),
    409: refusal('`already_consumed`, or it is not signed, rejected or over.'),
  },
}
