import type { Contribution } from '../context/index.ts'
import { readSettings, secretPlace } from './service.ts'
import { insertSettings } from './store.ts'

export const settingsContribution: Contribution = {
  seed: (ctx) => insertSettings(ctx.tx, ctx.realmId),
  sealed: [
    { table: 'realm_settings', column: 'sealed', key: ['realm_id'], place: (key) => secretPlace(String(key.realm_id)) },
  ],
  transfer: [{ section: 'settings', exportObjects: readSettings }],
}
