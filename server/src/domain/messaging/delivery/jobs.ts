import type { AnyJob } from '../../../platform/jobs/index.ts'
import type { Services } from '../../context/index.ts'
import { sendJob } from './queue.ts'
import { sendMessage } from './send.ts'
import { deleteOldMessages } from './store.ts'

// Long enough to find out why somebody got nothing.
const keptMs = 7 * 86_400_000
// Short statements: no sending waits for the clean-up.
const batch = 1000

export const deliveryJobs: AnyJob<Services>[] = [
  {
    name: sendJob.name,
    // Mail servers are slow, not busy; and one realm never takes more than a quarter.
    concurrency: { width: 16, perGroup: 4 },
    // Every provider of a channel at its limit, and then some.
    maxSeconds: 120,
    handle: sendMessage,
  },
  {
    name: 'messages.forget',
    schedule: '17 * * * *',
    async handle(services) {
      while ((await deleteOldMessages(services.db, services.clock.now() - keptMs, batch)) === batch);
    },
  },
]
