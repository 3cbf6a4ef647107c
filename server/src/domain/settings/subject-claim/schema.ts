import { z } from 'zod'
import { subjectStrategies } from '../../claims/index.ts'

const strategy = z.enum(subjectStrategies)

export const SubjectClaim = z
  .object({
    strategy: strategy.describe(
      'EMAIL serves people whose address is verified; PAIRWISE differs from sector to sector.',
    ),
    attribute: z.string().nullable().describe('The attribute of the strategy ATTRIBUTE; null otherwise.'),
    pairwiseSaltSet: z.boolean(),
  })
  .meta({ id: 'SubjectClaim' })
export type SubjectClaim = z.infer<typeof SubjectClaim>

export const ChangedSubjectClaim = SubjectClaim.extend({
  affectedClients: z.int().describe('Clients that know people under other names from now on.'),
}).meta({ id: 'ChangedSubjectClaim' })
export type ChangedSubjectClaim = z.infer<typeof ChangedSubjectClaim>

// Read-only members may come back as they were read: GET, edit, PUT must work (contract 2.2).
const readOnly = z.unknown().optional()

export const SubjectClaimInput = z
  .strictObject({
    strategy,
    // Contract 2.9: no attribute has a longer name.
    attribute: z.string().min(1).max(255).nullable().default(null).describe('Needed by ATTRIBUTE, ignored otherwise.'),
    pairwiseSaltSet: readOnly,
    affectedClients: readOnly,
  })
  .meta({ id: 'SubjectClaimInput' })
export type SubjectClaimInput = z.infer<typeof SubjectClaimInput>
