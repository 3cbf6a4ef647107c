import { z } from 'zod'
import { pageQuery } from '../admin-route/index.ts'

export const RealmKey = z
  .object({
    keyId: z.uuid().describe('Also the `kid` in the realm’s JWKS.'),
    algorithm: z.literal('RSA'),
    status: z.enum(['ACTIVE', 'RETIRED']).describe('ACTIVE signs; RETIRED only verifies what it signed before.'),
    publicKey: z.string().describe('Base64 of the SubjectPublicKeyInfo DER.'),
    createdAt: z.int(),
    rotatedAt: z.int().nullable().describe('When another key took over; null while ACTIVE.'),
    certificate: z.string().describe('Base64 of the DER of the self-signed certificate used for SAML.'),
    size: z.int().describe('Length of the modulus in bits.'),
    deletableAt: z
      .int()
      .nullable()
      .describe('From then on no token signed by this key is valid any more; null while ACTIVE.'),
  })
  .meta({ id: 'RealmKey' })
export type RealmKey = z.infer<typeof RealmKey>

export const KeyQuery = pageQuery.meta({ id: 'KeyQuery' })
export type KeyQuery = z.infer<typeof KeyQuery>
