import { asUser, openContext, type Origin, type Services } from '../../domain/context/index.ts'
import type { Enrollment } from '../../domain/devices/index.ts'
import { recordEvent } from '../../domain/events/index.ts'
import { runTransaction } from '../../platform/db/index.ts'
import type { DomainError } from '../../platform/errors/index.ts'

/** Somebody had a token and could not enrol with it: the person may want to know. In a transaction of its own, as the other is undone. */
export async function recordRefusal(
  services: Services,
  realmId: string,
  origin: Origin,
  { enrollment, error }: { enrollment: Enrollment; error: DomainError },
): Promise<void> {
  const actor = asUser(realmId, { id: enrollment.user_id, username: enrollment.username })
  await runTransaction(services.db, (transaction) =>
    recordEvent(openContext(services, transaction, { realmId, actor, origin }), {
      type: 'CREDENTIAL_ADDED',
      outcome: 'FAILURE',
      resourceType: 'users',
      resourceId: enrollment.user_id,
      detail: JSON.stringify({ type: 'device', error: error.code, fields: error.fields.map(({ field }) => field) }),
      detailSubject: enrollment.user_id,
    }),
  )
}
