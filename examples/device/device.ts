// A telephone for trying things out: enrols itself, shows what it is asked, and answers with its key.

import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { type Push, startPushService } from './push-service.ts'
import { approve, callAs, confirmQr, deny, enroll } from './requests.ts'
import { createStatement } from './signing.ts'
import { isEnrolled, load, save } from './store.ts'

const usage = `node examples/device/device.ts <command> [--data DIRECTORY]

  enroll <enrollmentUrl> [--name NAME] [--platform ANDROID|IOS|WEB|OTHER] [--push]
  list                                 what this device is asked
  show <id>
  approve <id> [--number N]
  deny <id> [--fraud]
  qr <url> [--code N]                  look at a QR sign-in and confirm it
  sign <txId> --hash HASH [--reject]   print the statement for POST /tx/<txId>/sign
  listen [--port 9099]                 be the push service, and answer what arrives
`

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string', default: './device-data' },
    name: { type: 'string', default: 'Simulator' },
    platform: { type: 'string', default: 'OTHER' },
    push: { type: 'boolean', default: false },
    number: { type: 'string' },
    fraud: { type: 'boolean', default: false },
    code: { type: 'string' },
    hash: { type: 'string' },
    reject: { type: 'boolean', default: false },
    port: { type: 'string', default: '9099' },
  },
})
const [command, subject = ''] = positionals

const commands: Record<string, () => Promise<unknown>> = {
  async enroll() {
    if (isEnrolled(options.data)) throw new Error(`There is a device in ${options.data} already.`)
    // A real one gets its token from Google or Apple.
    const pushToken = options.push ? `example-${randomBytes(16).toString('hex')}` : null
    const device = await enroll(subject, { deviceName: options.name, platform: options.platform, pushToken })
    save(options.data, device)
    return { deviceId: device.deviceId, issuer: device.issuer }
  },
  async list() {
    const device = load(options.data)
    return callAs(device, 'GET', `${device.issuer}/push`)
  },
  async show() {
    const device = load(options.data)
    return callAs(device, 'GET', `${device.issuer}/push/${subject}`)
  },
  approve: async () =>
    approve(load(options.data), subject, options.number === undefined ? null : Number(options.number)),
  deny: async () => deny(load(options.data), subject, options.fraud),
  qr: async () => confirmQr(load(options.data), subject, options.code ?? null),
  async sign() {
    if (options.hash === undefined) throw new Error('Name the hash that the transaction shows: it is what is signed.')
    const device = load(options.data)
    const decision = options.reject ? 'REJECT' : 'APPROVE'
    const signature = createStatement(device, { tx: subject, hash: options.hash, decision })
    return { decision, method: 'DEVICE', deviceId: device.deviceId, signature }
  },
  listen,
}

async function listen(): Promise<undefined> {
  const device = load(options.data)
  const lines = createInterface({ input: process.stdin })
  const typed = lines[Symbol.asyncIterator]()
  // One after the other, as a person reads them.
  let last = Promise.resolve()
  await startPushService(Number(options.port), (push) => {
    if (push.token === device.pushToken) last = last.then(() => answer(push)).catch(report)
  })
  console.log(`The push service is at http://127.0.0.1:${options.port}`)

  async function answer({ title, body, link }: Push): Promise<void> {
    console.log(`\n${title}: ${body}`)
    if (!link?.startsWith(`${device.issuer}/push/`)) return
    const id = link.slice(`${device.issuer}/push/`.length)
    const asked = (await callAs(device, 'GET', link)) as { numberChoices: number[] | null }
    console.log(asked)
    console.log(
      asked.numberChoices
        ? `Which number does the screen show (${asked.numberChoices.join(', ')})? "no" denies.`
        : 'yes or no?',
    )
    const { value } = await typed.next()
    const said = String(value ?? 'no').trim()
    const isYes = asked.numberChoices ? /^\d+$/.test(said) : said === 'yes'
    console.log(
      await (isYes ? approve(device, id, asked.numberChoices ? Number(said) : null) : deny(device, id, false)),
    )
  }
}

function report(error: unknown): void {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

const run = commands[command ?? '']
if (!run) {
  console.error(usage)
  process.exitCode = 2
} else {
  try {
    const result = await run()
    if (result !== undefined) console.log(JSON.stringify(result, null, 2))
  } catch (error) {
    report(error)
  }
}
