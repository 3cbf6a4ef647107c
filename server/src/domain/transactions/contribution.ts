import type { Contribution } from '../context/index.ts'
import { callBackJob } from './callback.ts'
import { toTransaction } from './record.ts'
import { deleteEndedTransactions, deleteTransactionsOf, selectTransactionsOf } from './store.ts'

// Small enough that nobody who signs waits for the clean-up.
const batch = 1000
// An application that was away for its holidays still finds what it was promised.
const keptMs = 30 * 86_400_000
// Each may hold 16 kB of details and a signature: more of them would not fit beside others in the memory of a node.
const maxExported = 2000

export const transactionsContribution: Contribution = {
  jobs: [
    callBackJob,
    {
      name: 'transactions.forget',
      schedule: '41 * * * *',
      async handle({ db, clock }) {
        while ((await deleteEndedTransactions(db, clock.now() - keptMs, batch)) === batch);
      },
    },
  ],
  dataSubject: [
    {
      section: 'transactions',
      tables: ['transactions'],
      maxEntries: maxExported,
      async exportFor({ services, tx, realmId }, userId) {
        const rows = await selectTransactionsOf(tx, realmId, userId, maxExported + 1)
        return rows.map((row) => toTransaction(services, realmId, row, false))
      },
      eraseFor: ({ tx, realmId }, userId) => deleteTransactionsOf(tx, realmId, userId),
    },
  ],
}
