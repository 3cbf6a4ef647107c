import { z } from 'zod'
import { QrRequest } from '../../domain/device-approvals/index.ts'

const shared = { tags: ['devices'], params: z.object({ realm: z.string(), id: z.string() }) }
const callers = 'Permission: a session, or an enrolled device by `Authorization: DeviceKey`.'

export const readDescription = {
  ...shared,
  summary: 'Look at a sign-in by the QR code it shows',
  description: `The first look makes it yours: status SCANNED, and nobody else can confirm it. A page for browsers. ${callers}`,
  response: {
    200: QrRequest,
    401: z.null().describe('Neither a session nor a device.'),
    404: z.null().describe('There is no such code, or somebody else read it.'),
  },
  security: [{ session: [] }],
}

export const Confirm = z.strictObject({
  code: z.string().max(16).optional().describe('The number beside the code, where `codeRequired` says so.'),
  deviceId: z.string().max(64).optional(),
  signature: z.string().max(4096).optional().describe('A statement of the device: `qr` the id, `decision` CONFIRM.'),
  _csrf: z.string().max(255).optional(),
})

export const confirmDescription = {
  ...shared,
  summary: 'Let the screen that shows the QR code in, as yourself',
  description: `After a look at it. A wrong number ends it with status DENIED. A device signs its answer. ${callers}`,
  body: Confirm,
  response: {
    200: QrRequest,
    400: z.null().describe('A member is missing, or the signature is not right.'),
    401: z.null().describe('Neither a session nor a device.'),
    403: z.null().describe('CSRF token missing or stale.'),
    404: z.null().describe('There is no such code, or somebody else read it.'),
    409: z.null().describe('Not read yet, answered already, or too late.'),
  },
  security: [{ session: [], csrf: [] }],
}
