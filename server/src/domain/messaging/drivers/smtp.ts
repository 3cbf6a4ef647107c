import { Readable } from 'node:stream'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { EgressError } from '../../../platform/egress/index.ts'
import type { SmtpConfig } from '../providers/config-schema.ts'
import { type ComposedMail, composeMail } from './mail.ts'
import { DeliveryError, type DriverTools, type HandOver, type OpenProvider, type SendMessage } from './types.ts'

type SmtpProvider = OpenProvider & { config: SmtpConfig }

// Replies of a mail server are lines; a server that says more than this does not mean well.
const maxResponseBytes = 64 * 1024
const connectTimeoutMs = 2000 // contract 8.1

interface SmtpFailure extends Error {
  code?: string
  responseCode?: number
  command?: string
}

/** One mail over one connection (RFC 5321), with STARTTLS (RFC 3207) and AUTH (RFC 4954) by nodemailer. */
export const sendOverSmtp: SendMessage<SmtpConfig> = async (tools, provider, message, handOver) => {
  const mail = await composeMail(provider, message, tools.now())
  const deadline = Date.now() + provider.config.timeoutMs
  const connection = await openConnection(tools, provider, deadline)
  let isHandedOver = false
  let markFailure: unknown
  // `finally` may come before the conversation is over; errors of a connection that is being closed interest nobody.
  const failed = new Promise<never>((_, reject) => connection.once('error', reject))
  failed.catch(() => {})
  connection.on('error', () => {})
  const late = createDeadline(deadline)
  try {
    const conversation = converse(connection, provider, mail, async () => {
      try {
        await handOver()
        isHandedOver = true
      } catch (error) {
        markFailure = error
        throw error
      }
    })
    conversation.catch(() => {})
    const response = await Promise.race([conversation, failed, late.promise])
    return { providerId: response }
  } catch (error) {
    // What stopped the content was our own mark, which could not be set: that is for the caller to judge.
    throw markFailure ?? describeFailure(error as SmtpFailure, isHandedOver)
  } finally {
    late.cancel()
    connection.close()
  }
}

/** The socket is the dialer's, so its address was checked (S45); nodemailer never resolves a name or connects itself. */
async function openConnection(tools: DriverTools, { config }: SmtpProvider, deadline: number): Promise<SMTPConnection> {
  const { host, port, tls } = config
  const { ca } = tools
  const timeoutMs = Math.min(connectTimeoutMs, deadline - Date.now())
  try {
    const socket = await tools.egress.connect({ host, port, tls, scheme: 'smtp', timeoutMs, ...(ca ? { ca } : {}) })
    return new SMTPConnection({
      connection: socket,
      host,
      port,
      secure: tls === 'TLS',
      secured: tls === 'TLS',
      // A server that does not offer STARTTLS is left, whoever took the offer out on the way.
      requireTLS: tls === 'STARTTLS',
      ignoreTLS: tls === 'NONE',
      tls: { minVersion: 'TLSv1.2', rejectUnauthorized: true, ...(ca ? { ca } : {}) },
      name: tools.ownName,
      maxResponseSize: maxResponseBytes,
      connectionTimeout: config.timeoutMs,
      greetingTimeout: config.timeoutMs,
      socketTimeout: config.timeoutMs,
      logger: false,
    })
  } catch (error) {
    if (error instanceof EgressError) throw new DeliveryError('failed', error.message, error)
    throw error
  }
}

async function converse(
  connection: SMTPConnection,
  { config, secret }: SmtpProvider,
  mail: ComposedMail,
  handOver: HandOver,
): Promise<string | null> {
  await called((done) => connection.connect(done))
  if (config.username) {
    if (!secret) throw new DeliveryError('failed', 'There is a username but no password.')
    const credentials = { user: config.username, pass: secret }
    await called((done) => connection.login({ user: config.username!, credentials }, done))
  }
  const envelope = { from: mail.from, to: [mail.to], size: mail.content.length }
  const result = await called<{ response?: string | undefined }>((done) =>
    connection.send(envelope, Readable.from(contentOf(mail.content, handOver), { objectMode: false }), done),
  )
  return result?.response?.slice(0, 255) ?? null
}

/**
 * The whole content first, then the mark, then the end: a server takes a mail with the line that ends it and not before, so a
 * worker that dies until the mark is committed has sent nothing.
 */
async function* contentOf(content: Buffer, handOver: HandOver): AsyncGenerator<Buffer> {
  yield content
  await handOver()
}

function called<T>(call: (done: (error?: Error | null, result?: T) => void) => void): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    call((error, result) => (error ? reject(error) : resolve(result)))
  })
}

function createDeadline(deadline: number) {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new EgressError('timeout')), Math.max(0, deadline - Date.now()))
  promise.catch(() => {})
  return { promise, cancel: () => clearTimeout(timer) }
}

function describeFailure(error: SmtpFailure, isHandedOver: boolean): Error {
  if (error instanceof DeliveryError) return error
  // An answer with a code is clear, before and after; silence after the hand-over is not.
  const isClear = !isHandedOver || (error.responseCode ?? 0) >= 400
  const what = error.code === 'EAUTH' ? 'The mail server refused the username and password' : error.message
  return new DeliveryError(isClear ? 'failed' : 'unconfirmed', what.replaceAll(/\s+/g, ' ').slice(0, 300), error)
}
