import type { AnyJob } from '../../platform/jobs/index.ts'
import type { Services } from '../context/index.ts'
import { maintainPartitions } from './partitions.ts'
import { clearExpiredEvents, mergePastRollups } from './retention.ts'

export const eventJobs: AnyJob<Services>[] = [
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
