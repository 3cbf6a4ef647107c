import type { TwilioConfig } from '../providers/config-schema.ts'
import { deliverOverHttp, isAccepted, readMember, refusalOf } from './answers.ts'
import { DeliveryError, type SendMessage } from './types.ts'

const twilioOrigin = 'https://api.twilio.com'

/** The Programmable Messaging API of Twilio, https://www.twilio.com/docs/messaging/api/message-resource. */
export function createTwilioSender(origin = twilioOrigin): SendMessage<TwilioConfig> {
  return async (tools, { config, fromAddress, secret }, message, handOver) => {
    if (!secret) throw new DeliveryError('failed', 'The provider has no auth token.')
    const { accountSid, messagingServiceSid } = config
    if (!messagingServiceSid && !fromAddress) {
      throw new DeliveryError('failed', 'The provider has neither a messagingServiceSid nor a fromAddress.')
    }
    const body = new URLSearchParams({ To: message.to, Body: message.text })
    if (messagingServiceSid) body.set('MessagingServiceSid', messagingServiceSid)
    else body.set('From', fromAddress!)
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${Buffer.from(`${accountSid}:${secret}`).toString('base64')}`,
      'idempotency-key': message.id,
    }
    const url = `${origin}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`
    const answer = await deliverOverHttp(tools, url, { method: 'POST', headers, body: body.toString() }, handOver)
    if (!isAccepted(answer)) throw refusalOf(answer)
    return { providerId: readMember(answer, 'sid') }
  }
}

export const sendOverTwilio = createTwilioSender()
