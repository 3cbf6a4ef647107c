import { z } from 'zod'
import { pageQuery } from '../admin-route/index.ts'

export const Session = z
  .object({
    id: z.uuid(),
    realmId: z.string(),
    userId: z.uuid(),
    username: z.string(),
    type: z.enum(['USER', 'SERVICE_ACCOUNT', 'AGENT']),
    clients: z
      .array(z.object({ clientId: z.string(), name: z.string().nullable() }))
      .describe('Applications signed in to with this session.'),
    sourceIp: z.string().nullable(),
    userAgent: z.string().nullable(),
    acr: z.string().describe('Authentication context class: how well the person proved who they are.'),
    amr: z.array(z.string()).describe('Authentication methods (RFC 8176).'),
    impersonatorId: z.string().nullable(),
    startedAt: z.int(),
    lastAccessAt: z.int(),
    expiresAt: z.int(),
  })
  .meta({ id: 'Session' })
export type Session = z.infer<typeof Session>

export const SessionQuery = pageQuery.extend({
  userId: z.uuid().optional().describe('Only sessions of this user.'),
  clientId: z.string().max(255).optional().describe('Only sessions signed in to this application.'),
})
export type SessionQuery = z.infer<typeof SessionQuery>

export const ServiceAccountSession = z
  .object({
    clientId: z.string(),
    name: z.string().nullable(),
    activeTokens: z.int().describe('Tokens issued that have not ended yet.'),
    lastIssuedAt: z.int().describe('The minute of the last token.'),
    agentId: z.string().nullable(),
  })
  .meta({ id: 'ServiceAccountSession' })

export const Whoami = z
  .object({
    userId: z.uuid(),
    username: z.string(),
    realmId: z.string().describe('The realm the caller belongs to.'),
    permissions: z.array(z.string()).describe('What the caller holds in the realm of the path.'),
    sessionId: z.string().nullable(),
    expiresAt: z.int().nullable(),
    acr: z.string().nullable(),
  })
  .meta({ id: 'Whoami' })
