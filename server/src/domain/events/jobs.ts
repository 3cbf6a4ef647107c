import type { AnyJob } from '../../platform/jobs/index.ts'
import type { Services } from '../context/index.ts'
import { chainLateEvents, chainNewEvents } from './chain/index.ts'
import { maintainPartitions } from './partitions.ts'
import { clearExpiredEvents, mergePastRollups } from './retention.ts'

export const eventJobs: AnyJob<Services>[] = [
  {
    name: 'events.chain',
    schedule: '* * * * *',
    // The next minute's run does the work of one that failed.
    retryLimit: 0,
    async handle(services) {
      await chainNewEvents(services)
    },
  },
  {
    name: 'events.chain-late',
    schedule: '41 3 * * *',
    async handle(services) {
      const chained = await chainLateEvents(services)
      if (chained > 0) services.log.warn({ chained }, 'audit events came to light long after their time')
    },
  },
  {
    name: 'events.partitions',
    schedule: '7 1 * * *',
    handle: maintainPartitions,
  },
  {
    name: 'events.retention',
    schedule: '23 2 * * *',
    async handle(services) {
      const cleared = await clearExpiredEvents(services)
      const merged = await mergePastRollups(services)
      services.log.info({ cleared, merged }, 'cleared expired audit events and merged past roll-ups')
    },
  },
]
