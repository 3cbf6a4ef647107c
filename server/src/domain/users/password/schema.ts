import { z } from 'zod'

export const PasswordInput = z
  .strictObject({
    // No bound of its own: the policy answers with every rule that is broken, and the body's size is limited.
    newPassword: z.string(),
    temporary: z.boolean().default(false).describe('The user must choose another password at the next sign-in.'),
    revokeSessions: z
      .boolean()
      .default(true)
      .describe('Ends the user’s sessions, but never the one that makes this call.'),
  })
  .meta({ id: 'PasswordInput' })
