import type { Contribution } from '../context/index.ts'
import { secretPlace } from './apart.ts'
import { readSettings } from './service.ts'
import { insertSettings } from './store.ts'
import { addPairwiseSalt, readSubjectClaim } from './subject-claim/index.ts'

export const settingsContribution: Contribution = {
  seed: (ctx) => insertSettings(ctx.tx, ctx.realmId),
  // Version 2: the salt is there before the first client wants pairwise subjects, so that nobody makes it while signing in.
  seeds: [{ since: 2, apply: async (ctx) => void (await addPairwiseSalt(ctx)) }],
  sealed: [
    { table: 'realm_settings', column: 'sealed', key: ['realm_id'], place: (key) => secretPlace(String(key.realm_id)) },
  ],
  transfer: [
    { section: 'settings', exportObjects: readSettings },
    { section: 'subjectClaim', exportObjects: readSubjectClaim },
  ],
}
