// What a browser sends, within limits: everything beyond them is refused before anything is decoded.
import { z } from 'zod'

// A credential id has at most 1023 bytes; a chain of certificates is the largest thing an authenticator sends.
const base64url = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[A-Za-z0-9_-]+$/)
const credentialId = base64url(1364)
const maxTextLength = 64 * 1024

const RegistrationResponse = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url(8192),
    attestationObject: base64url(48 * 1024),
    transports: z.array(z.string().max(32)).max(16).default([]),
  }),
})

const AssertionResponse = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url(8192),
    authenticatorData: base64url(8192),
    signature: base64url(4096),
    // Some browsers send an empty one where the key has none.
    userHandle: z
      .union([base64url(128), z.literal('')])
      .nullish()
      .transform((handle) => handle || null),
  }),
})

export type RegistrationResponse = z.infer<typeof RegistrationResponse>
export type AssertionResponse = z.infer<typeof AssertionResponse>

export const readRegistrationResponse = (response: unknown) => read(RegistrationResponse, response)
export const readAssertionResponse = (response: unknown) => read(AssertionResponse, response)

/** As an object, or as the JSON text of a form's field. Null when it is anything else. */
function read<Response extends { response: { clientDataJSON: string } }>(
  schema: z.ZodType<Response>,
  response: unknown,
): Response | null {
  const parsed = schema.safeParse(typeof response === 'string' ? parseText(response) : response)
  return parsed.success && !isFramed(parsed.data.response.clientDataJSON) ? parsed.data : null
}

function parseText(text: string): unknown {
  if (text.length > maxTextLength) return null
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}

/** Asked for from inside a page of another site, which the person did not choose to sign in to. */
function isFramed(clientDataJSON: string): boolean {
  const clientData = parseText(Buffer.from(clientDataJSON, 'base64url').toString()) as Record<string, unknown> | null
  return clientData?.crossOrigin === true || clientData?.topOrigin !== undefined
}
