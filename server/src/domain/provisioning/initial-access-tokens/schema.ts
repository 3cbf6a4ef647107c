import { z } from 'zod'
import { pageQuery } from '../../admin-route/index.ts'

// A minute is the least that a person can pass a token on in; a year the most that anybody remembers having done so.
const minSeconds = 60
const maxSeconds = 31_536_000
const dayInSeconds = 86_400
// As many clients as a realm has by default are more than one token should open the door to.
const maxCount = 1000
const maxScopes = 100

export const InitialAccessToken = z
  .object({
    id: z.uuid(),
    allowedScopes: z.array(z.string()).nullable().describe('Null = what the realm allows.'),
    count: z.int().describe('How many clients it could register.'),
    remainingCount: z.int().describe('How many it still can.'),
    expiresAt: z.int(),
    createdAt: z.int(),
  })
  .meta({ id: 'InitialAccessToken' })
export type InitialAccessToken = z.infer<typeof InitialAccessToken>

export const CreatedInitialAccessToken = InitialAccessToken.extend({
  token: z.string().describe('Shown this once; only its hash is kept.'),
}).meta({ id: 'CreatedInitialAccessToken' })
export type CreatedInitialAccessToken = z.infer<typeof CreatedInitialAccessToken>

export const InitialAccessTokenInput = z
  .strictObject({
    expiresInSeconds: z.int().min(minSeconds).max(maxSeconds).default(dayInSeconds),
    count: z.int().min(1).max(maxCount).default(1),
    allowedScopes: z
      .array(z.string().min(1).max(255))
      .max(maxScopes)
      .nullable()
      .default(null)
      .describe('Scopes beyond the default ones, instead of those that the realm allows.'),
  })
  .meta({ id: 'InitialAccessTokenInput' })
export type InitialAccessTokenInput = z.infer<typeof InitialAccessTokenInput>

export const InitialAccessTokenQuery = pageQuery.meta({ id: 'InitialAccessTokenQuery' })
export type InitialAccessTokenQuery = z.infer<typeof InitialAccessTokenQuery>
