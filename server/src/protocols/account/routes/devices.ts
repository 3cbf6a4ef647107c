import { z } from 'zod'
import { Device } from '../../../domain/devices/index.ts'
import { listOwnDevices, removeOwnDevice, startOwnDevice } from '../actions/devices.ts'
import { accountRoute, type AnyAccountRoute } from '../route.ts'

export const Enrollment = z
  .object({
    enrollmentToken: z.string().describe('For the device, as `Authorization: Bearer`; shown this once.'),
    enrollmentUrl: z.string().describe('The same as an address, to be opened on the device or shown as a QR code.'),
    expiresAt: z.int(),
  })
  .meta({ id: 'AccountDeviceEnrollment' })

export const deviceRoutes: AnyAccountRoute[] = [
  accountRoute({
    method: 'GET',
    path: '/devices',
    demand: 'READ',
    summary: 'List your devices',
    description: 'Those with a key of their own, newest first; nobody has more than 20.',
    response: { 200: z.array(Device) },
    handle: async (ctx, { holder }) => ({ status: 200, body: await listOwnDevices(ctx, holder) }),
  }),
  accountRoute({
    method: 'DELETE',
    path: '/devices/:id',
    demand: 'FRESH',
    summary: 'Remove one of your devices',
    description: 'Nothing it signs counts any more, and browsers that you trusted are asked again.',
    response: { 204: z.null().describe('No body.'), 404: z.null().describe('You have no such device.') },
    async handle(ctx, { holder, params }) {
      await removeOwnDevice(ctx, holder, params.id!)
      return { status: 204 }
    },
  }),
  accountRoute({
    method: 'POST',
    path: '/devices/enrollment-tokens',
    demand: 'FRESH',
    summary: 'Begin to enrol a device',
    description: 'The token works once, for ten minutes; a new one ends the one before.',
    response: { 201: Enrollment },
    async handle(ctx, { holder }) {
      return { status: 201, body: await startOwnDevice(ctx, holder) }
    },
  }),
]
