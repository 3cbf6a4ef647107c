import { z } from 'zod'

/** Values are those of the WebAuthn specification, in its own spelling. */
export const WebauthnPolicy = z
  .strictObject({
    rpId: z
      .string()
      .max(253)
      .regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/, 'must be a host name')
      .nullable()
      .default(null)
      .describe(
        'Relying party id: the host of the service or a parent domain; null = the host. A change orphans passkeys.',
      ),
    rpName: z
      .string()
      .min(1)
      .max(64)
      .nullable()
      .default(null)
      .describe('Name shown by authenticators; null = displayName.'),
    attestation: z
      .enum(['none', 'indirect', 'direct', 'enterprise'])
      .default('none')
      .describe('Proof of the make of an authenticator.'),
    authenticatorAttachment: z
      .enum(['platform', 'cross-platform'])
      .nullable()
      .default(null)
      .describe('Only built-in or only external authenticators; null = both.'),
    residentKey: z
      .enum(['required', 'preferred', 'discouraged'])
      .default('preferred')
      .describe('Discoverable credentials.'),
    userVerification: z
      .enum(['required', 'preferred', 'discouraged'])
      .default('preferred')
      .describe('Whether the authenticator asks for a PIN, finger or face.'),
    // COSE numbers of EdDSA, ES256, ES384, ES512, PS256 and RS256.
    algorithms: z
      .array(z.union([z.literal(-8), z.literal(-7), z.literal(-35), z.literal(-36), z.literal(-37), z.literal(-257)]))
      .min(1)
      .max(6)
      .default([-8, -7, -257])
      .describe('Signature algorithms by COSE number, the preferred first.'),
    timeoutSeconds: z.int().min(30).max(600).default(300).describe('Time a person has to touch the authenticator.'),
    allowedAaguids: z
      .array(z.guid())
      .max(200)
      .default([])
      .describe('Makes of authenticators that may be registered; empty = all. Needs attestation.'),
  })
  .meta({ id: 'WebauthnPolicy', description: 'Rules for passkeys and security keys.' })

/** Contract 2.29: what a SAML client inherits where its own option is null. */
export const SamlDefaults = z
  .strictObject({
    signAssertion: z.boolean().default(true).describe('Assertions are signed.'),
    signResponse: z.boolean().default(true).describe('Responses are signed.'),
    wantAuthnRequestsSigned: z.boolean().default(false).describe('Unsigned requests are refused.'),
    encryptAssertion: z.boolean().default(false).describe('Assertions are encrypted for the service provider.'),
    nameIdFormat: z
      .enum(['persistent', 'transient', 'email', 'unspecified', 'username'])
      .default('persistent')
      .describe('What identifies a person to the service provider.'),
    backChannelSloEnabled: z.boolean().default(false).describe('Logout is also sent from server to server.'),
    idpInitiatedSsoEnabled: z.boolean().default(false).describe('Sign-in may start here, without a request.'),
    assertionLifetimeSeconds: z
      .int()
      .min(30)
      .max(3600)
      .default(300)
      .describe('Time in which an assertion is accepted.'),
  })
  .meta({ id: 'SamlDefaults', description: 'Options of SAML clients that do not set their own.' })
