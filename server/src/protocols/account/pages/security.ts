import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { describePolicy } from '../../../domain/passwords/index.ts'
import { settingsSection } from '../../../domain/settings/index.ts'
import type { ActionName } from '../../../domain/sign-in/index.ts'
import {
  type Addition,
  type Factor,
  renderAddStep,
  renderPasswordStep,
  renderRemoveStep,
  renderRenameStep,
  renderSecurityPage,
} from '../../../pages/account/index.ts'
import type { FieldError } from '../../../platform/errors/index.ts'
import { originOf, validate } from '../../../platform/http/index.ts'
import { Label, removeOwnCredential, renameOwnCredential } from '../actions/credentials.ts'
import { changePassword, PasswordChange, preparePassword } from '../actions/password.ts'
import {
  askToConfirm,
  beginAction,
  finish,
  isFresh,
  isGone,
  pathOf,
  readRefusal,
  type Refusal,
  redirect,
  send,
  stepPath,
} from './answer.ts'
import { readCredentials, toFactors } from './credentials.ts'
import { type AccountVisit, change, readUser } from './holder.ts'

const steps: ReadonlySet<unknown> = new Set(['password', 'add', 'rename', 'remove'])

export async function showSecurity(account: AccountVisit): Promise<FastifyReply> {
  const { step, id } = account.query
  if (!steps.has(step)) return showFactors(account)
  const named = typeof id === 'string' ? id : undefined
  if (!isFresh(account)) return askToConfirm(account, 'security', stepPath(account, 'security', String(step), named))
  if (step === 'password') return showPassword(account)
  if (step === 'add') return showAddition(account, named)
  return showFactor(account, step === 'remove' ? 'remove' : 'rename', named)
}

async function showFactors(account: AccountVisit): Promise<FastifyReply> {
  const { frame, visit } = account
  const [user, credentials, { mfaPolicy }] = await Promise.all([
    readUser(account),
    readCredentials(account),
    visit.realm.section(settingsSection),
  ])
  const allowed: readonly string[] = mfaPolicy.allowed
  const codes = credentials.find(({ type }) => type === 'recovery-codes')
  const factors = toFactors(credentials)
  const devices = credentials.filter(({ type }) => type === 'device').length
  const html = renderSecurityPage({
    frame,
    password: user.passwordSet ? { changedAt: user.passwordChangedAt } : null,
    factors,
    recoveryCodes: codes ? { left: Number(codes.details.remaining ?? 0), createdAt: codes.createdAt } : null,
    devices,
    offers: {
      passkey: true,
      totp: allowed.includes('totp'),
      // They stand in for a factor, so there has to be one.
      recoveryCodes: allowed.includes('recovery-codes') && (factors.length > 0 || devices > 0),
      // A password that a directory keeps is changed there.
      password: user.federationAlias === null,
    },
  })
  return send(account, html)
}

async function showPassword(account: AccountVisit, refusal?: Refusal): Promise<FastifyReply> {
  const { frame, visit } = account
  const [user, { passwordPolicy }] = await Promise.all([readUser(account), visit.realm.section(settingsSection)])
  const { errors = [], alert = null, status = 200 } = refusal ?? {}
  const rules = describePolicy(passwordPolicy)
  return send(account, renderPasswordStep({ frame, hasPassword: user.passwordSet, rules, errors, alert }), status)
}

const additions = {
  passkey: 'REGISTER_WEBAUTHN',
  totp: 'CONFIGURE_TOTP',
  'recovery-codes': 'CONFIGURE_RECOVERY_CODES',
} as const satisfies Partial<Record<Addition, ActionName>>

const isAddition = (what: unknown): what is keyof typeof additions =>
  typeof what === 'string' && Object.hasOwn(additions, what)

async function showAddition(account: AccountVisit, what: string | undefined): Promise<FastifyReply> {
  if (!isAddition(what)) return redirect(account, pathOf(account, 'security'))
  const credentials = what === 'recovery-codes' ? await readCredentials(account) : []
  const replaces = credentials.some(({ type }) => type === 'recovery-codes')
  return send(account, renderAddStep({ frame: account.frame, what, replaces }))
}

/** Of the person's own; anybody else's is not there. */
async function findFactor(account: AccountVisit, id: string | undefined): Promise<Factor | null> {
  return toFactors(await readCredentials(account)).find((factor) => factor.id === id) ?? null
}

async function showFactor(
  account: AccountVisit,
  step: 'rename' | 'remove',
  id: string | undefined,
  refusal?: Refusal,
): Promise<FastifyReply> {
  const { frame } = account
  const factor = await findFactor(account, id)
  if (!factor) return finish(account, 'security', 'gone')
  const { errors = [], alert = null, status = 200 } = refusal ?? {}
  const render = step === 'rename' ? renderRenameStep : renderRemoveStep
  return send(account, render({ frame, factor, errors, alert }), status)
}

export async function changeSecurity(account: AccountVisit): Promise<FastifyReply> {
  const { action, id, what } = account.form
  if (!steps.has(action)) return redirect(account, pathOf(account, 'security'))
  // The page was open for longer than the sign-in counts as fresh: the same step once more, by way of the sign-in.
  const step = stepPath(account, 'security', action!, action === 'add' ? what : id)
  if (!isFresh(account)) return redirect(account, step)
  if (action === 'password') return savePassword(account)
  if (action === 'add') {
    if (!isAddition(what)) return redirect(account, pathOf(account, 'security'))
    return beginAction(account, additions[what], { page: 'security', step })
  }
  return action === 'rename' ? rename(account, id) : remove(account, id)
}

async function savePassword(account: AccountVisit): Promise<FastifyReply> {
  const { services, visit, holder, form } = account
  const { currentPassword = '', newPassword = '', confirmPassword = '' } = form
  const missing: FieldError[] = newPassword === '' ? [fault('newPassword', 'required', 'Enter a new password.')] : []
  const differs = newPassword !== confirmPassword
  const errors = differs
    ? [...missing, fault('confirmPassword', 'mismatch', 'The two passwords are not the same.')]
    : missing
  if (errors.length > 0) return showPassword(account, { errors, alert: null, status: 400 })
  try {
    const input = validate(PasswordChange, { newPassword, ...(currentPassword === '' ? {} : { currentPassword }) })
    const caller = { services, realm: visit.realm, holder, origin: originOf(visit.request) }
    const prepared = await preparePassword(caller, input)
    await change(account, (ctx) => changePassword(ctx, holder, prepared))
  } catch (error) {
    return showPassword(account, readRefusal(account, error))
  }
  return finish(account, 'security', 'password')
}

const fault = (field: string, code: string, message: string): FieldError => ({ field, code, message })

async function rename(account: AccountVisit, id: string | undefined): Promise<FastifyReply> {
  const { holder, form } = account
  const factor = await findFactor(account, id)
  if (!factor) return finish(account, 'security', 'gone')
  try {
    const { label } = validate(z.object({ label: Label }), { label: form.label?.trim() || null })
    const which = { type: factor.type, id: factor.id }
    await change(account, (ctx) => renameOwnCredential(ctx, holder, which, label))
  } catch (error) {
    if (isGone(error)) return finish(account, 'security', 'gone')
    return showFactor(account, 'rename', id, readRefusal(account, error))
  }
  return finish(account, 'security', 'renamed')
}

async function remove(account: AccountVisit, id: string | undefined): Promise<FastifyReply> {
  const { holder } = account
  const factor = await findFactor(account, id)
  if (!factor) return finish(account, 'security', 'gone')
  try {
    const which = { type: factor.type, id: factor.id }
    await change(account, (ctx) => removeOwnCredential(ctx, holder, which))
  } catch (error) {
    if (isGone(error)) return finish(account, 'security', 'gone')
    return showFactor(account, 'remove', id, readRefusal(account, error, 'account.refused.lastWay'))
  }
  return finish(account, 'security', 'factor-removed')
}
