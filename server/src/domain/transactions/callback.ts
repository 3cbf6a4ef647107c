import { runRead } from '../../platform/db/index.ts'
import { fieldError } from '../../platform/errors/index.ts'
import { isUuid } from '../../platform/ids/index.ts'
import type { JobDefinition } from '../../platform/jobs/index.ts'
import { webUrlFault } from '../clients/index.ts'
import type { Context, Services } from '../context/index.ts'
import type { TransactionCaller } from './caller.ts'
import { selectTransaction, type TransactionRow } from './store.ts'

interface CallBack {
  realmId: string
  transactionId: string
  status: 'SIGNED' | 'REJECTED'
}

/** An application is called back where an administrator let it lead people, and where the operator lets us call (S45). */
export function checkCallback(services: Services, { origins }: TransactionCaller, callbackUrl: string): void {
  const fault = webUrlFault(callbackUrl)
  if (fault) throw fieldError('callbackUrl', fault)
  if (!origins.includes(new URL(callbackUrl).origin)) {
    throw fieldError('callbackUrl', 'The origin must be one of the application’s redirect URIs or allowed resources.')
  }
  if (!services.egress.check(callbackUrl).ok) {
    throw fieldError('callbackUrl', 'The service may not call this address.')
  }
}

// Each try waits twice as long as the one before: with these the last is about a quarter of an hour after the first.
const retries = 10
// One application that does not answer leaves the others their share.
const width = 4
const perRealm = 2

/** Tells the application that the person answered; what was signed it has to read itself. */
export const callBackJob: JobDefinition<Services, CallBack> = {
  name: 'transactions.call-back',
  retryLimit: retries,
  concurrency: { width, perGroup: perRealm },
  async handle(services, { realmId, transactionId, status }) {
    if (!isUuid(transactionId)) return
    const row = await runRead(() => selectTransaction(services.db, realmId, transactionId))
    if (!row?.callback_url) return
    const { status: answer } = await services.egress.fetch(row.callback_url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': `${row.id}:${status}` },
      body: JSON.stringify({ id: row.id, status, hash: row.hash }),
    })
    if (answer < 200 || answer >= 300) throw new Error(`the call back was answered ${answer}`)
  },
}

export async function queueCallBack(ctx: Context, row: TransactionRow, status: CallBack['status']): Promise<void> {
  if (row.callback_url === null) return
  const data: CallBack = { realmId: ctx.realmId, transactionId: row.id, status }
  await ctx.services.jobs.enqueue(ctx.tx, callBackJob, data, { group: ctx.realmId })
}
