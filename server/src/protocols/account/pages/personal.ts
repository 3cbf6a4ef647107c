import type { FastifyReply } from 'fastify'
import { hasProvider } from '../../../domain/messaging/index.ts'
import { settingsSection } from '../../../domain/settings/index.ts'
import { readOwnProfile } from '../../../domain/users/index.ts'
import { type Profile, renderAddStep, renderContactStep, renderPersonalPage } from '../../../pages/account/index.ts'
import { isLocale } from '../../../pages/messages/index.ts'
import type { FieldError } from '../../../platform/errors/index.ts'
import { validate } from '../../../platform/http/index.ts'
import { changeProfile, ProfileInput } from '../actions/profile.ts'
import { askToConfirm, beginAction, finish, isFresh, pathOf, readRefusal, redirect, send, stepPath } from './answer.ts'
import { type AccountVisit, change, readUser } from './holder.ts'

export async function showPersonal(account: AccountVisit): Promise<FastifyReply> {
  const { step } = account.query
  if (step !== 'contact' && step !== 'verify') return showProfile(account)
  if (!isFresh(account)) return askToConfirm(account, 'personal', stepPath(account, 'personal', step))
  if (step === 'verify') return send(account, renderAddStep({ frame: account.frame, what: 'email' }))
  const { email, phone } = readOwnProfile(await readUser(account))
  return send(account, renderContactStep({ frame: account.frame, values: { email, phone }, errors: [] }))
}

interface Typed {
  firstName: string
  lastName: string
  language: string
}

async function showProfile(
  account: AccountVisit,
  typed?: Typed,
  errors: FieldError[] = [],
  status = 200,
): Promise<FastifyReply> {
  const { frame, visit } = account
  const [user, { supportedLocales }, canMail] = await Promise.all([
    readUser(account),
    visit.realm.section(settingsSection),
    hasProvider(visit.realm, 'EMAIL'),
  ])
  const { firstName, lastName, email, phone } = readOwnProfile(user)
  const profile: Profile = {
    ...{ firstName, lastName, email, phone },
    username: user.username,
    emailVerified: user.emailVerified,
    phoneVerified: user.phoneVerified,
    language: user.locale ?? '',
    ...typed,
  }
  const languages = supportedLocales.filter(isLocale)
  return send(account, renderPersonalPage({ frame, profile, languages, errors, canVerify: canMail }), status)
}

export async function changePersonal(account: AccountVisit): Promise<FastifyReply> {
  const { action } = account.form
  if (action === 'profile') return saveProfile(account)
  if (action === 'contact') return saveContact(account)
  if (action === 'add') {
    const step = stepPath(account, 'personal', 'verify')
    return beginAction(account, 'VERIFY_EMAIL', { page: 'personal', step })
  }
  return redirect(account, pathOf(account, 'personal'))
}

async function saveProfile(account: AccountVisit): Promise<FastifyReply> {
  const { form, holder } = account
  const typed = { firstName: form.firstName ?? '', lastName: form.lastName ?? '', language: form.language ?? '' }
  const { firstName, lastName, language } = typed
  try {
    const user = await readUser(account)
    const input = validate(ProfileInput, {
      email: user.email,
      phone: user.phone,
      // The form has no such field where the realm speaks one language.
      locale: form.language === undefined ? user.locale : language || null,
      attributes: { firstName: firstName.trim(), lastName: lastName.trim() },
    })
    await change(account, (ctx) => changeProfile(ctx, holder, input))
  } catch (error) {
    const { errors, alert, status } = readRefusal(account, error)
    return showProfile(account, typed, alert === null ? errors : [alarm(alert)], status)
  }
  // Whoever chooses a language reads the next page in it.
  const speaking = isLocale(language) ? `&lang=${language}` : ''
  return redirect(account, `${pathOf(account, 'personal')}?done=profile${speaking}`)
}

/** About no field of the page, so it stands above the form. */
const alarm = (message: string): FieldError => ({ field: '', code: 'refused', message })

async function saveContact(account: AccountVisit): Promise<FastifyReply> {
  const { form, holder, frame } = account
  if (!isFresh(account)) return redirect(account, stepPath(account, 'personal', 'contact'))
  const values = { email: (form.email ?? '').trim(), phone: (form.phone ?? '').trim() }
  try {
    const user = await readUser(account)
    const input = validate(ProfileInput, {
      email: values.email || null,
      phone: values.phone || null,
      locale: user.locale,
    })
    const { pendingEmail } = await change(account, (ctx) => changeProfile(ctx, holder, input))
    return finish(account, 'personal', pendingEmail === undefined ? 'contact' : 'contact-pending')
  } catch (error) {
    const { errors, alert, status } = readRefusal(account, error)
    const shown = alert === null ? errors : [alarm(alert)]
    return send(account, renderContactStep({ frame, values, errors: shown }), status)
  }
}
