import { z } from 'zod'
import type { Context, UserActor } from '../../../domain/context/index.ts'
import { jobActor } from '../../../domain/context/index.ts'
import { recordEvent } from '../../../domain/events/index.ts'
import {
  Attributes,
  Email,
  Locale,
  loadUser,
  Phone,
  replaceUser,
  type User,
  type UserReplacement,
} from '../../../domain/users/index.ts'
import { canConfirmEmail, requestNewEmail } from '../../../domain/users/change-email/index.ts'
import { tellOfChange } from '../../../domain/users/notices/index.ts'
import { fieldError } from '../../../platform/errors/index.ts'
import { demandFresh } from '../caller.ts'
import { spend } from './limits.ts'

export const Profile = z
  .object({
    username: z.string(),
    email: z.string().nullable(),
    emailVerified: z.boolean(),
    phone: z.string().nullable(),
    locale: z.string().nullable(),
    attributes: Attributes.describe('Only firstName and lastName are yours to change.'),
    pendingEmail: z.string().optional().describe('A new address that counts once the link mailed to it is used.'),
  })
  .meta({ id: 'AccountProfile' })
export type Profile = z.infer<typeof Profile>

export const ProfileInput = z
  .strictObject({
    email: Email.nullable().default(null),
    phone: Phone.nullable().default(null),
    locale: Locale.nullable().default(null),
    attributes: Attributes.optional().describe(
      'Of these firstName and lastName are replaced; the others stay as they are.',
    ),
    username: z.string().optional().describe('Read-only: may only be sent unchanged.'),
    emailVerified: z.unknown().optional().describe('Read-only.'),
    pendingEmail: z.unknown().optional().describe('Read-only.'),
  })
  .meta({ id: 'AccountProfileInput' })
export type ProfileInput = z.infer<typeof ProfileInput>

// What claims, roles, conditions and the law hang on is an administrator's to set: only the names are the person's own.
const ownAttributes = ['firstName', 'lastName'] as const
// Whether somebody's data has to be kept is between administrators and whoever asked for it.
const hiddenAttributes = new Set(['legalHold'])
const maxNameLength = 255

export async function readProfile(ctx: Context, holder: UserActor): Promise<Profile> {
  const { record } = await loadUser(ctx, holder.userId, false)
  return toProfile(record)
}

/**
 * The full state, as GET gave it. Another address or number needs a fresh sign-in; an address takes effect once whoever reads it
 * has confirmed it, where the realm can send mail at all, and until then answers do not tell whether somebody has it (S42).
 */
export async function changeProfile(ctx: Context, holder: UserActor, input: ProfileInput): Promise<Profile> {
  const { record: before } = await loadUser(ctx, holder.userId, true)
  refuseForeign(before, input)
  const isNewEmail = input.email !== before.email
  const isNewPhone = input.phone !== before.phone
  if (isNewEmail || isNewPhone) {
    demandFresh(ctx.services, holder)
    await spend(ctx, holder, 'changes')
  }
  const mustConfirm = isNewEmail && input.email !== null && (await canConfirmEmail(ctx))
  if (isNewEmail && input.email !== null) await spend(ctx, holder, 'emailChanges')
  const after = await write(ctx, before, { ...input, email: mustConfirm ? before.email : input.email })
  // Behind the change, which ends links that are on their way when the number is another.
  if (mustConfirm) await requestNewEmail(ctx, after, input.email!)
  await tell(ctx, before, after)
  return mustConfirm ? { ...toProfile(after), pendingEmail: input.email! } : toProfile(after)
}

function toProfile({ username, email, emailVerified, phone, locale, attributes }: User): Profile {
  const shown = Object.entries(attributes).filter(([name]) => !hiddenAttributes.has(name))
  return { username, email, emailVerified, phone, locale, attributes: Object.fromEntries(shown) }
}

/** Members that are not the person's may come back as they were read, and in no other way. */
function refuseForeign(before: User, { username, attributes = {} }: ProfileInput): void {
  if (username !== undefined && username !== before.username) {
    throw fieldError('username', 'Your username is changed by an administrator.')
  }
  for (const [name, value] of Object.entries(attributes)) {
    const own = (ownAttributes as readonly string[]).includes(name)
    if (own && (typeof value !== 'string' || value.length > maxNameLength)) {
      throw fieldError(`attributes.${name}`, `A name is one text of at most ${maxNameLength} characters.`)
    }
    const isSame = !hiddenAttributes.has(name) && JSON.stringify(value) === JSON.stringify(before.attributes[name])
    if (!own && !isSame) throw fieldError(`attributes.${name}`, 'This attribute is changed by an administrator.')
  }
}

async function write(ctx: Context, before: User, input: ProfileInput): Promise<User> {
  const attributes = { ...before.attributes }
  for (const name of input.attributes ? ownAttributes : []) {
    const value = input.attributes![name]
    if (value === undefined || value === '') delete attributes[name]
    else attributes[name] = value
  }
  const replacement = {
    ...before,
    email: input.email,
    emailVerified: input.email === before.email && before.emailVerified,
    phone: input.phone,
    locale: input.locale,
    attributes,
    // What is not sent is not changed.
    ...{ phoneVerified: undefined, roles: undefined },
  }
  // Nobody needs a permission over themselves.
  return replaceUser({ ...ctx, actor: jobActor }, before, replacement as UserReplacement)
}

async function tell(ctx: Context, before: User, after: User): Promise<void> {
  const changed = (['email', 'phone', 'locale', 'attributes'] as const).filter(
    (member) => JSON.stringify(before[member]) !== JSON.stringify(after[member]),
  )
  if (changed.length === 0) return
  await recordEvent(ctx, {
    type: 'ADMIN_UPDATE',
    outcome: 'SUCCESS',
    resourceType: 'users',
    resourceId: before.userId,
    detail: JSON.stringify({ profile: 'by the person', changed }),
    detailSubject: before.userId,
  })
  if (changed.includes('email') && before.email !== null) {
    await tellOfChange(ctx, before.userId, 'EMAIL', { to: before.email })
  }
  if (changed.includes('phone')) await tellOfChange(ctx, before.userId, 'PHONE')
}
