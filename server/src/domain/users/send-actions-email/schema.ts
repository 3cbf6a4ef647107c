import { z } from 'zod'
import { RequiredAction } from '../schema.ts'

// A minute is enough for a test, a month for somebody who begins after the holidays.
const minSeconds = 60
const maxSeconds = 30 * 86_400

export const ActionsEmail = z
  .strictObject({
    actions: z.array(RequiredAction).min(1).max(20).describe('What the link leads to, in the order of the sign-in.'),
    lifespanSeconds: z.int().min(minSeconds).max(maxSeconds).default(43_200).describe('How long the link works.'),
    clientId: z.string().min(1).max(255).optional().describe('The application the user goes on to.'),
    redirectUri: z.string().max(2048).optional().describe('One of its redirect URIs; needs clientId.'),
  })
  .meta({ id: 'ActionsEmail' })
export type ActionsEmail = z.infer<typeof ActionsEmail>
