import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { DeviceName, Platform, PublicKey } from '../../domain/devices/index.ts'

export const EnrollmentStart = z
  .strictObject({ deviceName: DeviceName.describe('What the person sees in their list.'), platform: Platform })
  .meta({ id: 'DeviceEnrollmentStart' })

export const EnrollmentInput = z
  .strictObject({
    enrollmentId: z.uuid(),
    publicKey: PublicKey.describe('JWK (RFC 7517), P-256.'),
    signature: z
      .string()
      .min(1)
      .max(4096)
      .describe('Compact JWS with alg ES256 by that key; its payload is the challenge.'),
    driver: z.string().max(64).optional().describe('Which push service the token is of.'),
    pushToken: z.string().max(4096).optional().describe('What the push service calls the device.'),
  })
  .meta({ id: 'DeviceEnrollmentInput' })

/** RFC 6750 section 2.1. Null without one; another scheme is no token either. */
export function bearerOf({ headers }: FastifyRequest): string | null {
  return /^bearer +([\w.~+/=-]{1,255})$/i.exec(headers.authorization ?? '')?.[1] ?? null
}
