import type { Contribution } from '../context/index.ts'
import { endUnusedRegistrations } from './expiry.ts'

export const clientRegistrationContribution: Contribution = {
  jobs: [
    {
      name: 'registration.end-unused',
      schedule: '53 3 * * *',
      async handle(services) {
        const ended = await endUnusedRegistrations(services)
        if (ended > 0) services.log.info({ ended }, 'ended registered clients that nobody used')
      },
    },
  ],
}
