import { z } from 'zod'
import { PushRequest } from '../../domain/device-approvals/index.ts'

const params = z.object({ realm: z.string(), id: z.string() })
const callers =
  'Permission: a session of the person who is asked, or one of their devices by `Authorization: DeviceKey`.'
const refused = {
  401: z.null().describe('Neither a session nor a device.'),
  404: z.null().describe('This person is not asked such a thing.'),
}
const answered = {
  200: PushRequest,
  ...refused,
  400: z.null().describe('A member is missing, or the signature is not right.'),
  403: z.null().describe('CSRF token missing or stale, or a session that is younger than the question.'),
  409: z.null().describe('Answered already, or too late.'),
}
const write = { tags: ['devices'], params, security: [{ session: [], csrf: [] }] }

export const listDescription = {
  tags: ['devices'],
  summary: 'List what you are asked at this moment',
  description: `For apps that look by themselves. At most 20, the newest first. ${callers}`,
  params: z.object({ realm: z.string() }),
  response: { 200: z.array(PushRequest), 401: refused[401] },
  security: [{ session: [] }],
}

export const readDescription = {
  tags: ['devices'],
  summary: 'Read a question of a sign-in to your devices',
  description: `A page for browsers, JSON for everything else. ${callers}`,
  params,
  response: { 200: PushRequest, ...refused },
  security: [{ session: [] }],
}

export const Approve = z.strictObject({
  number: z.coerce.number().int().optional().describe('The number on the screen of the sign-in; one of numberChoices.'),
  deviceId: z.string().max(64).optional(),
  signature: z
    .string()
    .max(4096)
    .optional()
    .describe('A statement of the device: `push` the id, `decision` APPROVE, and `number`.'),
  _csrf: z.string().max(255).optional(),
})

export const Deny = z.strictObject({
  reason: z.enum(['FRAUD']).optional().describe('Somebody else started the sign-in: it ends at once.'),
  deviceId: z.string().max(64).optional(),
  signature: z.string().max(4096).optional().describe('A statement of the device: `push` the id, `decision` DENY.'),
  _csrf: z.string().max(255).optional(),
})

export const approveDescription = {
  ...write,
  summary: 'Say that it is you who signs in',
  description: `A wrong number is a no: the answer then has status DENIED. A device signs its answer. ${callers}`,
  body: Approve,
  response: answered,
}

export const denyDescription = {
  ...write,
  summary: 'Say that it is not you, or that you do not want it',
  description: callers,
  body: Deny,
  response: answered,
}
