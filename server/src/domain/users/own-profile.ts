import { z } from 'zod'
import { DomainError } from '../../platform/errors/index.ts'
import { type Context, jobActor } from '../context/index.ts'
import { recordEvent } from '../events/index.ts'
import { canConfirmEmail, requestNewEmail } from './change-email/index.ts'
import { tellOfChange } from './notices/index.ts'
import { Email, Phone, type User } from './schema.ts'
import { replaceUser } from './service.ts'

/** What people may change of their own record, as their form sends it; empty = none. */
export interface OwnProfile {
  email: string
  firstName: string
  lastName: string
  phone: string
}

const name = z.string().max(255)
const Profile = z.object({
  email: Email.or(z.literal('')),
  firstName: name.min(1, 'Enter your first name.'),
  lastName: name.min(1, 'Enter your last name.'),
  phone: Phone.or(z.literal('')),
})

export function readOwnProfile({ email, phone, attributes }: User): OwnProfile {
  const text = (key: string) => {
    const value = attributes[key]
    return (Array.isArray(value) ? value[0] : value) ?? ''
  }
  return { email: email ?? '', firstName: text('firstName'), lastName: text('lastName'), phone: phone ?? '' }
}

/**
 * A new address counts once whoever reads it has confirmed it, and until then the form tells nobody whether somebody has it
 * (S42); without a way to send mail it counts at once, unproved. Faults name their fields.
 */
export async function changeOwnProfile(ctx: Context, before: User, values: OwnProfile): Promise<User> {
  const parsed = Profile.safeParse(values)
  if (!parsed.success) {
    const fields = parsed.error.issues.map(({ path, message }) => ({
      field: String(path[0]),
      code: 'invalid',
      message,
    }))
    throw new DomainError('validation_failed', 'The profile is not accepted.', { fields })
  }
  const wanted = values.email || null
  const mustConfirm = wanted !== null && wanted !== before.email && (await canConfirmEmail(ctx))
  const email = mustConfirm ? before.email : wanted
  // Nobody needs a permission over themselves.
  const changed = await replaceUser({ ...ctx, actor: jobActor }, before, {
    ...before,
    email,
    emailVerified: email === before.email && before.emailVerified,
    phone: values.phone || null,
    attributes: { ...before.attributes, firstName: values.firstName, lastName: values.lastName },
  } as Parameters<typeof replaceUser>[2])
  await recordEvent(ctx, {
    type: 'ADMIN_UPDATE',
    outcome: 'SUCCESS',
    resourceType: 'users',
    resourceId: before.userId,
    detail: JSON.stringify({ profile: 'by the person' }),
    detailSubject: before.userId,
  })
  if (email !== before.email && before.email !== null) {
    await tellOfChange(ctx, before.userId, 'EMAIL', { to: before.email })
  }
  if (changed.phone !== before.phone) await tellOfChange(ctx, before.userId, 'PHONE')
  // Behind the change, which ends links that are on their way when the number is another.
  if (mustConfirm) await requestNewEmail(ctx, changed, wanted)
  return changed
}
