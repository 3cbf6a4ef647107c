import { z } from 'zod'
import { pageQuery } from '../admin-route/index.ts'

export const Consent = z
  .object({
    clientId: z.string(),
    clientName: z.string().nullable(),
    scopes: z.array(z.string()),
    claims: z.array(z.string()).describe('Claims that were asked for one by one.'),
    grantedAt: z.int(),
    updatedAt: z.int(),
    source: z.enum(['USER', 'ADMIN', 'AGENT']),
    agentId: z.string().nullable(),
  })
  .meta({ id: 'Consent' })
export type Consent = z.infer<typeof Consent>

export const ConsentQuery = pageQuery.omit({ count: true }).meta({ id: 'ConsentQuery' })
export type ConsentQuery = z.infer<typeof ConsentQuery>
