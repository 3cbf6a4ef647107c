// What a step or a condition can be configured with: one schema for each authenticator that takes anything.
import { isIP } from 'node:net'
import { z } from 'zod'

// A condition is looked at whenever a sign-in moves; longer lists belong into a role or a group.
const maxEntries = 50

const nameList = z
  .array(z.string().min(1).max(255))
  .min(1)
  .max(maxEntries)
  .describe(`1 to ${maxEntries} names; one of them is enough.`)
const negate = z.boolean().default(false).describe('Turns the condition round.')

const network = z
  .string()
  .max(43)
  .refine(isNetwork, 'must be an address or a CIDR block such as 192.0.2.0/24 or 2001:db8::/32')

const RoleCondition = z.strictObject({ roles: nameList, negate })
const GroupCondition = z.strictObject({ groups: nameList, negate })
const ClientCondition = z.strictObject({ clientIds: nameList, negate })
const AcrCondition = z.strictObject({
  minimum: z
    .enum(['urn:gatehouse:acr:2', 'urn:gatehouse:acr:3'])
    .describe('Holds when the application asks for at least this level.'),
})
const IpCondition = z.strictObject({
  cidrs: z.array(network).min(1).max(maxEntries).describe('Addresses and CIDR blocks the person may come from.'),
  negate,
})
const DeviceCondition = z.strictObject({
  trusted: z.boolean().describe('true: in a browser the person trusts; false: in any other.'),
})

// Long enough for a message to arrive, short enough that a code found later is worth nothing.
const CodeConfig = z.strictObject({
  codeLifetimeSeconds: z.int().min(60).max(900).default(300).describe('How long the code that was sent is good.'),
})
const LinkConfig = z.strictObject({
  linkLifetimeSeconds: z.int().min(60).max(3600).default(900).describe('How long the link that was sent is good.'),
})

const numberMatching = z
  .boolean()
  .default(true)
  .describe('The device has to name the number that the screen of the sign-in shows.')
const PushConfig = z.strictObject({
  numberMatching,
  requireDeviceKey: z
    .boolean()
    .default(false)
    .describe('Only an enrolled device can say yes, with its key; another session of the person cannot.'),
})
const DeviceKeyConfig = z.strictObject({ numberMatching })
const QrConfig = z.strictObject({
  confirmCode: z.boolean().default(false).describe('Who reads the code also types the number that is shown beside it.'),
})

export const NoConfig = z.strictObject({})

/** By the id of the authenticator; the others take nothing. */
export const configSchemas: Readonly<Record<string, z.ZodObject>> = {
  'otp-email': CodeConfig,
  'otp-sms': CodeConfig,
  'magic-link': LinkConfig,
  push: PushConfig,
  qr: QrConfig,
  'device-key': DeviceKeyConfig,
  'condition-role': RoleCondition,
  'condition-group': GroupCondition,
  'condition-client': ClientCondition,
  'condition-acr': AcrCondition,
  'condition-ip': IpCondition,
  'condition-device': DeviceCondition,
}

export function configSchemaOf(authenticator: string | null): z.ZodObject {
  return (
    (authenticator !== null && Object.hasOwn(configSchemas, authenticator) && configSchemas[authenticator]) || NoConfig
  )
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}
