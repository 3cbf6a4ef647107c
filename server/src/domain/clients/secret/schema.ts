import { z } from 'zod'

// A week: long enough to roll a fleet over, short enough that a leaked secret does not stay.
const maxGraceSeconds = 604_800

export const ClientSecret = z
  .object({
    clientId: z.string(),
    secret: z.string(),
    createdAt: z.int(),
    expiresAt: z.int().nullable(),
  })
  .meta({ id: 'ClientSecret' })
export type ClientSecret = z.infer<typeof ClientSecret>

export const RegeneratedSecret = ClientSecret.extend({
  previousSecretExpiresAt: z.int().nullable().describe('Until when the secret before is accepted; null = no longer.'),
}).meta({ id: 'RegeneratedSecret' })
export type RegeneratedSecret = z.infer<typeof RegeneratedSecret>

export const RegenerateInput = z
  .strictObject({
    graceSeconds: z
      .int()
      .min(0)
      .max(maxGraceSeconds)
      .default(0)
      .describe('How long the secret of today stays valid, so that nothing stands still meanwhile.'),
  })
  .meta({ id: 'RegenerateSecretInput' })
export type RegenerateInput = z.infer<typeof RegenerateInput>
