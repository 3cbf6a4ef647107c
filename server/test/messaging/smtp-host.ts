// A real mail server on loopback that keeps what arrives, with TLS and AUTH as the test wants them.
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { readMail, type ReadMail } from './mime.ts'

export interface ArrivedMail extends ReadMail {
  from: string
  to: string[]
  /** Whether the connection was encrypted when it came. */
  secure: boolean
  user: string | null
}

export interface SmtpHostOptions {
  tls?: 'STARTTLS' | 'TLS' | 'NONE'
  certificate?: { cert: string; key: string }
  auth?: { user: string; pass: string }
  /** Refuses the recipient. */
  refuseRecipient?(address: string): Error | null
  /** Called when the whole mail is there and before it is acknowledged; an error refuses it. */
  beforeAnswer?(): Promise<Error | null>
  /** Called before a recipient is answered. */
  beforeRecipient?(): Promise<void>
}

export interface SmtpHost {
  port: number
  mails: ArrivedMail[]
  connections(): number
  stop(): Promise<void>
}

export async function startSmtpHost(options: SmtpHostOptions = {}): Promise<SmtpHost> {
  const { tls = 'NONE', certificate, auth } = options
  const mails: ArrivedMail[] = []
  let connections = 0
  const server = new SMTPServer({
    secure: tls === 'TLS',
    hideSTARTTLS: tls !== 'STARTTLS',
    disabledCommands: [...(tls === 'STARTTLS' ? [] : ['STARTTLS']), ...(auth ? [] : ['AUTH'])],
    ...certificate,
    authOptional: auth === undefined,
    allowInsecureAuth: tls === 'NONE',
    disableReverseLookup: true,
    closeTimeout: 200,
    onConnect(_session, done) {
      connections++
      done()
    },
    onAuth(given, _session, done) {
      if (given.username === auth?.user && given.password === auth?.pass) done(null, { user: given.username! })
      else done(new Error('Invalid username or password'))
    },
    onRcptTo(address, _session, done) {
      const refusal = options.refuseRecipient?.(address.address) ?? null
      void (options.beforeRecipient?.() ?? Promise.resolve()).then(() => done(refusal))
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        mails.push({
          ...readMail(Buffer.concat(chunks).toString('latin1')),
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map((recipient) => recipient.address),
          secure: session.secure,
          user: typeof session.user === 'string' ? session.user : null,
        })
        void (options.beforeAnswer?.() ?? Promise.resolve(null)).then((refusal) => done(refusal))
      })
    },
  } as SMTPServerOptions)
  // A connection that is reset by the other side is what some tests are about.
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    connections: () => connections,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
