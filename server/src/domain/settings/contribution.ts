import type { Contribution } from '../context/index.ts'
import { readSettings } from './service.ts'
import { insertSettings } from './store.ts'

export const settingsContribution: Contribution = {
  seed: (ctx) => insertSettings(ctx.tx, ctx.realmId),
  transfer: [{ section: 'settings', exportObjects: readSettings }],
}
