import { z } from 'zod'
import { RequiredAction } from '../schema.ts'

export const RequiredActions = z
  .object({
    requiredActions: z.array(RequiredAction).describe('What the user must do at the next sign-in, in this order.'),
  })
  .meta({ id: 'RequiredActions' })
export type RequiredActions = z.infer<typeof RequiredActions>

// Duplicates are collapsed, so a list may be longer than there are actions, but not without end.
const list = z.array(RequiredAction).max(20)

/** The object, or the bare array (contract 2.48). */
export const RequiredActionsInput = z
  .union([z.strictObject({ requiredActions: list }), list])
  .meta({ id: 'RequiredActionsInput' })
export type RequiredActionsInput = z.infer<typeof RequiredActionsInput>
