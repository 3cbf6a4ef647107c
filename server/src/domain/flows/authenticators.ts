// The catalogue of what a flow can be made of (contract 2.104), in the contract's order.
import { z } from 'zod'
import { configSchemaOf } from './config.ts'

export const factors = ['POSSESSION', 'KNOWLEDGE', 'INHERENCE', 'NONE'] as const
export const kinds = ['PRIMARY', 'SECOND', 'CONDITION', 'ACTION'] as const

export const Authenticator = z
  .object({
    id: z.string(),
    displayName: z.string(),
    description: z.string(),
    factor: z.enum(factors).describe('What it proves: something held, known or inherent, or nothing at all.'),
    kind: z
      .enum(kinds)
      .describe('PRIMARY says who somebody is, SECOND comes after it, CONDITION is the type of a condition.'),
    amr: z.array(z.string()).describe('Names of RFC 8176 that the claim `amr` gets by it.'),
    configSchema: z.record(z.string(), z.unknown()).describe('JSON Schema of `config`.'),
    available: z.boolean().describe('False for what this release cannot run yet: such a step can only be DISABLED.'),
  })
  .meta({ id: 'Authenticator' })
export type Authenticator = z.infer<typeof Authenticator>

type Words = [displayName: string, description: string]

function describe(
  kind: Authenticator['kind'],
  factor: Authenticator['factor'],
  amr: string[],
): (id: string, ...words: Words) => Authenticator {
  return (id, displayName, description) => ({
    ...{ id, displayName, description, factor, kind, amr },
    configSchema: z.toJSONSchema(configSchemaOf(id), { io: 'input', unrepresentable: 'any' }) as Record<
      string,
      unknown
    >,
    available: !comingLater.has(id),
  })
}

// Their parts of the service follow in later releases; until then nobody could pass them.
const comingLater = new Set(['identity-provider', 'captcha'])

const known = describe('PRIMARY', 'NONE', [])
const password = describe('PRIMARY', 'KNOWLEDGE', ['pwd'])
const sentCode = describe('SECOND', 'POSSESSION', ['otp'])
const action = describe('ACTION', 'NONE', [])
const condition = describe('CONDITION', 'NONE', [])

const catalogue: Authenticator[] = [
  known('cookie', 'Existing session', 'Passes when the browser already has a session of the realm.'),
  known('identity-provider', 'Identity provider', 'Sends the person to another service to sign in there.'),
  action('username', 'Username', 'Asks who is signing in. It proves nothing: a step that does must follow.'),
  password('password', 'Password', 'Asks for the password of the person a step before has named.'),
  password(
    'username-password',
    'Username and password',
    'One form for both. In a registration: the form of the new account.',
  ),
  describe('PRIMARY', 'POSSESSION', ['pop', 'user'])(
    'passkey',
    'Passkey',
    'Names the person and proves who they are, with user verification: two factors at once.',
  ),
  describe('SECOND', 'POSSESSION', ['pop'])(
    'webauthn',
    'Security key',
    'A security key or passkey after the first factor.',
  ),
  sentCode('totp', 'Authenticator app', 'A code of six digits that an app on the person’s device shows (RFC 6238).'),
  sentCode('otp-email', 'Code by e-mail', 'A code sent to the verified e-mail address.'),
  describe('SECOND', 'POSSESSION', ['otp', 'sms'])(
    'otp-sms',
    'Code by SMS',
    'A code sent to the verified telephone number.',
  ),
  describe('PRIMARY', 'POSSESSION', ['otp'])(
    'magic-link',
    'Link by e-mail',
    'A link that is good once, sent to the e-mail address.',
  ),
  sentCode('recovery-code', 'Recovery code', 'One of the codes the person has kept for the day a factor is lost.'),
  describe('SECOND', 'POSSESSION', ['mca'])('push', 'Push message', 'A question on the person’s telephone.'),
  describe('PRIMARY', 'POSSESSION', ['mca'])(
    'qr',
    'QR code',
    'A code on the screen, read with a device that is signed in.',
  ),
  describe('SECOND', 'POSSESSION', ['hwk'])('device-key', 'Device key', 'A key that an enrolled device keeps.'),
  action('captcha', 'Captcha', 'Tells people from programs.'),
  action('consent', 'Consent', 'Shows what the application asks for, and goes on when the person agrees.'),
  action('terms', 'Terms', 'Shows the realm’s terms to whoever has not accepted them.'),
  condition('condition-role', 'Role', 'Holds for people with one of these realm roles.'),
  condition('condition-group', 'Group', 'Holds for members of one of these groups.'),
  condition('condition-client', 'Application', 'Holds when one of these clients asks for the sign-in.'),
  condition('condition-acr', 'Requested level', 'Holds when the application asks for at least this acr.'),
  condition('condition-ip', 'Network', 'Holds when the request comes from one of these networks.'),
  condition('condition-device', 'Trusted browser', 'Holds in a browser that the person trusts, or in any other.'),
  action('deny', 'Deny', 'Nobody passes: a sign-in that comes here ends.'),
  action('allow', 'Allow', 'Everybody passes without seeing anything.'),
]

/** By id, in the contract's order. */
export const authenticators: ReadonlyMap<string, Authenticator> = new Map(catalogue.map((entry) => [entry.id, entry]))
