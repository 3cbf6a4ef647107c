import type { Contribution } from '../context/index.ts'
import { forgetDevices } from './service.ts'
import { deleteExpiredDevices, selectDevicesOf } from './store.ts'

// Small enough that no sign-in ever waits for the clean-up.
const batch = 1000

export const trustedDevicesContribution: Contribution = {
  reactions: {
    userDisabled: forgetDevices,
    userLocked: forgetDevices,
    userDeleted: forgetDevices,
  },
  jobs: [
    {
      name: 'trusted-devices.forget',
      schedule: '23 * * * *',
      async handle(services) {
        while ((await deleteExpiredDevices(services.db, services.clock.now(), batch)) === batch);
      },
    },
  ],
  dataSubject: [
    {
      section: 'trustedDevices',
      tables: ['trusted_devices'],
      async exportFor(ctx, userId) {
        const devices = await selectDevicesOf(ctx.tx, ctx.realmId, userId)
        return devices.map((device) => ({
          userAgent: device.user_agent,
          createdAt: device.created_at,
          lastUsedAt: device.last_used_at,
          expiresAt: device.expires_at,
        }))
      },
      eraseFor: forgetDevices,
    },
  ],
}
