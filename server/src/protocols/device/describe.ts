import { z } from 'zod'
import { EnrollmentInput, EnrollmentStart } from './input.ts'

const params = z.object({ realm: z.string() })
const base = { tags: ['devices'], params, security: [{ bearer: [] }] }
const token = 'Permission: an enrollment token, `Authorization: Bearer enr_…`.'
const failures = {
  400: z.null().describe('The members named in `errors` are not valid.'),
  401: z.null().describe('No token, or one that is unknown or over.'),
  409: z.null().describe('The token was used.'),
  429: z.null().describe('Too many enrollments failed from this address.'),
}

export const startDescription = {
  ...base,
  summary: 'Start the enrollment of a device',
  description: `Answers the challenge that the device’s key has to sign; one that is started again has a new one. ${token}`,
  body: EnrollmentStart,
  response: {
    200: z
      .object({ enrollmentId: z.uuid(), challenge: z.string(), expiresAt: z.int() })
      .meta({ id: 'DeviceEnrollment' }),
    ...failures,
  },
}

export const enrollDescription = {
  ...base,
  summary: 'Enroll a device with its key',
  description: `The token is used up by it. The private key never leaves the device. ${token}`,
  body: EnrollmentInput,
  response: {
    201: z
      .object({ deviceId: z.uuid(), userId: z.uuid(), deviceName: z.string(), createdAt: z.int() })
      .meta({ id: 'EnrolledDevice' }),
    ...failures,
    409: z.null().describe('The token was used; or the key or the push token belongs to another device.'),
  },
}

export const enrollPageDescription = {
  tags: ['devices'],
  summary: 'The page behind an enrollment address',
  description: 'Says that the address is to be opened with an authenticator app. Permission: public.',
  params,
  produces: ['text/html'],
  security: [],
  response: { 200: z.string().describe('HTML') },
}
