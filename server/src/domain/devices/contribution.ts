import type { Contribution } from '../context/index.ts'
import { endEnrollments } from './enrollments.ts'
import { deleteEnrollmentsOf, deleteExpiredEnrollments } from './enrollments-store.ts'
import { listDevices } from './service.ts'
import { deleteDevicesOf } from './store.ts'

// Small enough that no enrolment ever waits for the clean-up.
const batch = 1000
// A used one still tells the sign-in that waits for it, and a late second try that it was used.
const keptMs = 60 * 60_000

export const devicesContribution: Contribution = {
  // Devices and enrolments of somebody who is deleted go with their row.
  reactions: { userDisabled: endEnrollments, userLocked: endEnrollments },
  jobs: [
    {
      name: 'device-enrollments.forget',
      schedule: '43 * * * *',
      async handle({ db, clock }) {
        while ((await deleteExpiredEnrollments(db, clock.now() - keptMs, batch)) === batch);
      },
    },
  ],
  dataSubject: [
    {
      section: 'devices',
      tables: ['device_keys', 'device_enrollments'],
      exportFor: (ctx, userId) => listDevices(ctx.tx, ctx.realmId, userId),
      async eraseFor(ctx, userId) {
        await deleteEnrollmentsOf(ctx.tx, ctx.realmId, userId)
        await deleteDevicesOf(ctx.tx, ctx.realmId, userId)
      },
    },
  ],
}
