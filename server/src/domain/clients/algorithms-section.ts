import type { Section } from '../snapshot/index.ts'
import { hasOtherAlgorithm } from './protocol-store.ts'

/** True while all tokens of the realm are signed with RS256, so that its keys can say so (contract 2.62). */
export const oneAlgorithmSection: Section<boolean> = {
  name: 'oneAlgorithm',
  load: async ({ db }, realmId) => !(await hasOtherAlgorithm(db, realmId)),
  sizeOf: () => 8,
}
