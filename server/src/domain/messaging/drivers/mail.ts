import MailComposer from 'nodemailer/lib/mail-composer'
import { DeliveryError, type OpenProvider, type Outgoing } from './types.ts'
import { isMailbox } from '../addresses.ts'

export interface ComposedMail {
  from: string
  to: string
  content: Buffer
}

const hasControl = (text: string) => /\p{Cc}/u.test(text)

/** The mail with all its headers. Refuses whatever could end a header line early (S47), wherever it came from. */
export async function composeMail(provider: OpenProvider, message: Outgoing, now: number): Promise<ComposedMail> {
  const { fromAddress, fromName } = provider
  if (!fromAddress || !isMailbox(fromAddress)) throw new DeliveryError('failed', 'The provider has no fromAddress.')
  if (!isMailbox(message.to)) throw new DeliveryError('failed', 'The recipient is not an e-mail address.')
  const subject = message.subject ?? ''
  if (hasControl(subject) || hasControl(fromName ?? '')) {
    throw new DeliveryError('failed', 'The subject or the sender’s name has more than one line.')
  }
  const domain = fromAddress.slice(fromAddress.lastIndexOf('@') + 1)
  const composer = new MailComposer({
    from: { name: fromName ?? '', address: fromAddress },
    to: { name: '', address: message.to },
    subject,
    text: message.text,
    ...(message.html === null ? {} : { html: message.html }),
    messageId: `<${message.id}@${domain}>`,
    date: new Date(now),
    // RFC 3834: no vacation notice answers, and no robot takes it for a letter.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    // Texts of a template can name a file or an address; none is ever fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return { from: fromAddress, to: message.to, content: await composer.compile().build() }
}
