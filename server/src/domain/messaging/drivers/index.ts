// Drivers: how a rendered message reaches a provider, one file for each kind.
// Contract 2.80 and 2.81; S45, S47; F21.
// Called by messaging/delivery for queued messages and by messaging/providers for a test.
import type { Channel, Driver } from '../channels.ts'
import type { ProviderConfig } from '../providers/config-schema.ts'
import { sendOverApns } from './apns.ts'
import { sendOverFcm } from './fcm.ts'
import { sendMailOverHttp, sendSmsOverHttp } from './http.ts'
import { sendOverSmtp } from './smtp.ts'
import { sendOverTwilio } from './twilio.ts'
import type { SendMessage } from './types.ts'

export {
  type Delivered,
  DeliveryError,
  type DriverTools,
  type FailureKind,
  type HandOver,
  type OpenProvider,
  type Outgoing,
} from './types.ts'

// Each takes the configuration that was checked against the schema of its own driver.
const senders = {
  'EMAIL:smtp': sendOverSmtp,
  'EMAIL:http': sendMailOverHttp,
  'SMS:twilio': sendOverTwilio,
  'SMS:http': sendSmsOverHttp,
  'PUSH:fcm': sendOverFcm,
  'PUSH:apns': sendOverApns,
} as unknown as Record<string, SendMessage<ProviderConfig> | undefined>

export function senderOf(channel: Channel, driver: Driver): SendMessage<ProviderConfig> {
  const sender = senders[`${channel}:${driver}`]
  if (!sender) throw new Error(`there is no driver ${driver} for ${channel}`)
  return sender
}
