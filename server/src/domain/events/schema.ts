import { z } from 'zod'

const wholeNumber = (what: string) => z.string().regex(/^-?\d{1,9}$/, `${what} must be a whole number`)
// Longer than any name or id that an event can carry.
const filterText = z.string().min(1).max(512)

/** Values stay text here, so that the API description shows what is sent. */
export const eventQuery = z.strictObject({
  type: filterText.optional().describe('Event type, such as LOGIN_FAILURE.'),
  actor: filterText.optional().describe('Who acted: a user id, a username, client:<clientId> or system.'),
  outcome: filterText.optional().describe('SUCCESS or FAILURE.'),
  category: filterText.optional().describe('AUTHN, ADMIN or SECURITY.'),
  resourceType: filterText.optional().describe('What was changed: users, roles, settings …'),
  resourceId: filterText.optional().describe('The key of what was changed.'),
  sourceIp: filterText.optional().describe('The address the request came from.'),
  clientId: filterText.optional().describe('The application concerned.'),
  from: filterText.optional().describe('Earliest time, ISO 8601 or epoch milliseconds.'),
  to: filterText
    .optional()
    .describe('Latest time, ISO 8601 or epoch milliseconds; a plain date includes its whole day.'),
  sort: z.enum(['asc', 'desc']).optional().describe('Order of time; newest first (desc) by default.'),
  before: filterText
    .optional()
    .describe('Cursor: the id of the last event of the page before; the list goes on after it in its order.'),
  page: wholeNumber('page').optional().describe('Page number, starting at 0.'),
  size: wholeNumber('size').optional().describe('Events per page, 50 by default, 500 at most.'),
})

export type EventQuery = z.infer<typeof eventQuery>

const text = z.string()

export const auditEvent = z
  .object({
    ts: text.describe('ISO 8601, UTC.'),
    kind: z.literal('audit'),
    category: text,
    type: text,
    realm: text,
    actor: text.describe('User id, name as typed, client:<clientId>, system, or erased:<userId>.'),
    sourceIp: text.nullable(),
    resourceType: text.nullable(),
    resourceId: text.nullable(),
    outcome: text,
    detail: text.nullable(),
    id: text,
    seq: z.number().int().nullable(),
    clientId: text.nullable(),
    sessionId: text.nullable(),
    userAgent: text.nullable(),
    impersonatorId: text.nullable(),
    agentId: text.nullable(),
    traceId: text.nullable(),
    hash: text.nullable(),
    actorName: text.nullable().describe('The username of the actor as it is now.'),
  })
  .meta({ id: 'AuditEvent' })

export const eventPage = z
  .object({
    items: z.array(auditEvent),
    total: z.number().int(),
    page: z.number().int(),
    size: z.number().int(),
    totalCapped: z.literal(true).optional().describe('Present when there are more than `total` says.'),
  })
  .meta({ id: 'AuditEventPage' })

export type EventPage = z.infer<typeof eventPage>
