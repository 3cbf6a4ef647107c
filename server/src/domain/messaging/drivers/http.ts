import type { HttpConfig } from '../providers/config-schema.ts'
import { deliverOverHttp, isAccepted, readMember, refusalOf } from './answers.ts'
import { bodyFormatOf, fillBody, fillHeader, placeholdersIn, valuesOf } from './http-template.ts'
import { DeliveryError, type OpenProvider, type Outgoing, type SendMessage } from './types.ts'

type HttpProvider = OpenProvider & { config: HttpConfig }

/** Without a template of the realm's own. */
export const defaultMailBody =
  '{"id":"{{id}}","from":"{{from}}","fromName":"{{fromName}}","to":"{{to}}","subject":"{{subject}}","text":"{{text}}","html":"{{html}}"}'
export const defaultSmsBody = '{"id":"{{id}}","from":"{{from}}","to":"{{to}}","text":"{{text}}"}'

/** One request to an address of the realm's choice; any answer of 2xx is a delivery. */
function createSender(defaultBody: string): SendMessage<HttpConfig> {
  return async (tools, provider, message, handOver) => {
    const { url, method, bodyTemplate } = provider.config
    const format = bodyFormatOf(provider.config.headers)
    if (!format) throw new DeliveryError('failed', 'The content type is neither JSON nor a form.')
    const body = fillBody(bodyTemplate ?? defaultBody, format, valuesOf(provider, message))
    const headers = headersFor(provider, message)
    const answer = await deliverOverHttp(tools, url, { method, headers, body }, handOver)
    if (!isAccepted(answer)) throw refusalOf(answer)
    return { providerId: readMember(answer, 'id', 'messageId', 'message_id') }
  }
}

export const sendMailOverHttp = createSender(defaultMailBody)
export const sendSmsOverHttp = createSender(defaultSmsBody)

function headersFor(provider: HttpProvider, message: Outgoing): Record<string, string> {
  const { headers, bodyTemplate } = provider.config
  const values = valuesOf(provider, message)
  const filled = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), fillHeader(value, values)]),
  )
  const named = [...Object.values(headers), bodyTemplate ?? ''].some((text) => placeholdersIn(text).includes('secret'))
  const authorization: Record<string, string> =
    provider.secret && !named ? { authorization: fillHeader('Bearer {{secret}}', values) } : {}
  return { 'content-type': 'application/json', ...authorization, ...filled, 'idempotency-key': message.id }
}
