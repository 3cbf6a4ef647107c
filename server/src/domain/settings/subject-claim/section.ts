import type { SubjectChoice } from '../../claims/index.ts'
import type { Section } from '../../snapshot/index.ts'
import { openSecrets } from '../apart.ts'
import { requireRow } from '../service.ts'
import { readChoice } from './service.ts'

/** What `resolveSubject` needs: `{ strategy, attribute, pairwiseSalt }`. */
export type RealmSubjectClaim = SubjectChoice

/** The realm's choice: `await snapshot.section(subjectClaimSection)`. A client's own one takes the place of strategy and attribute. */
export const subjectClaimSection: Section<RealmSubjectClaim> = {
  name: 'subjectClaim',
  async load({ db, sealer }, realmId) {
    const row = await requireRow(db, realmId)
    const { pairwiseSalt } = openSecrets(sealer, realmId, row.sealed)
    return { ...readChoice(row), pairwiseSalt: pairwiseSalt ? Buffer.from(pairwiseSalt, 'base64') : null }
  },
  // The object, the buffer and two short texts.
  sizeOf: ({ attribute }) => 300 + (attribute?.length ?? 0) * 2,
}
