import { runRead, runTransaction } from '../../../platform/db/index.ts'
import type { JobDefinition } from '../../../platform/jobs/index.ts'
import { foldName } from '../../../platform/text/index.ts'
import { jobActor, openContext, type Services } from '../../context/index.ts'
import { allowMessage, queueMessage } from '../../messaging/index.ts'
import { selectTakenNames } from '../store.ts'

export const mailPlace = (realmId: string) => `registration-mail:${realmId}`

interface Mail {
  email: string
  locale: string | null
  firstName: string
  token: string
}

/** Tells whoever owns the address: either how to finish, or that they have an account already. */
export const sendRegistrationJob: JobDefinition<Services, { realmId: string; mailSealed: string }> = {
  name: 'users.registration-mail',
  // A mail is waited for: many are written at once, and one realm does not hold up the others.
  concurrency: { width: 4, perGroup: 2 },
  async handle(services, { realmId, mailSealed }) {
    const opened = services.sealer.open(Buffer.from(mailSealed, 'base64url'), mailPlace(realmId)).toString()
    const { email, locale, firstName, token } = JSON.parse(opened) as Mail
    if (!(await allowMessage(services, realmId, 'EMAIL', email)).allowed) return
    const taken = await runRead(() => selectTakenNames(services.db, realmId, [foldName(email)], null))
    const base = `${services.config.baseUrl}/realms/${realmId}`
    const isTaken = taken.size > 0
    await runTransaction(services.db, async (work) => {
      const origin = { sourceIp: null, userAgent: null, traceId: '' }
      const ctx = openContext(services, work, { realmId, actor: jobActor, origin })
      await queueMessage(ctx, {
        templateKey: isTaken ? 'account-exists-email' : 'registration-email',
        channel: 'EMAIL',
        to: email,
        userId: null,
        locale,
        values: {
          link: isTaken ? `${base}/login` : `${base}/register?token=${token}`,
          user: firstName || email,
        },
      })
    })
  },
}
