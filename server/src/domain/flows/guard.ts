import { DomainError } from '../../platform/errors/index.ts'
import type { Context } from '../context/index.ts'
import { type RealmSettings, readSettings } from '../settings/index.ts'
import { type AdministratorRow, selectAdministrators, selectChannels } from './admins-store.ts'
import { type Administrator, type Fault, findLockouts, findUnprovenWay } from './safety.ts'
import type { FlowStep, FlowType } from './types.ts'

// One who gets through is enough, and the caller is looked at first; nobody waits for thousands to be tried.
const maxAdministrators = 50

/** Refuses to put a flow in use that lets people in unproved, or no administrator in at all (contract 2.103). */
export async function assertSafe(ctx: Context, type: FlowType, steps: FlowStep[]): Promise<void> {
  const unproven = findUnprovenWay(type, steps)
  if (unproven) throw unsafe(unproven)
  if (type !== 'BROWSER') return
  const administrators = await readAdministrators(ctx)
  if (administrators.length === 0) {
    throw unsafe({ detail: 'The realm has no administrator who could sign in by any flow.', steps: [] })
  }
  const [lockout] = findLockouts(steps, administrators)
  if (lockout) {
    const detail = `No administrator is sure to get through with what they have today; the first one would be ${lockout.detail}.`
    throw unsafe({ ...lockout, detail })
  }
}

function unsafe({ detail, steps }: Fault): DomainError {
  const fields = (steps.length === 0 ? ['steps'] : steps).map((field) => ({ field, code: 'unsafe', message: detail }))
  return new DomainError('flow_unsafe', detail, { fields })
}

async function readAdministrators(ctx: Context): Promise<Administrator[]> {
  const { realmId, tx, actor } = ctx
  const caller = actor.kind === 'USER' && actor.realmId === realmId ? actor.userId : null
  const rows = await selectAdministrators(tx, realmId, caller, maxAdministrators)
  const channels = await selectChannels(tx, realmId)
  const settings = await readSettings(ctx)
  return rows.map((row) => toAdministrator(row, channels, settings))
}

/** Authenticators of a second factor and the type of credential behind each, as the realm's mfaPolicy names it. */
const secondFactors = [
  ['webauthn', 'webauthn'],
  ['totp', 'totp'],
  ['push', 'device'],
  ['device-key', 'device'],
  ['otp-sms', 'sms'],
  ['otp-email', 'email'],
  ['recovery-code', 'recovery-codes'],
] as const

function toAdministrator(row: AdministratorRow, channels: string[], settings: RealmSettings): Administrator {
  const { allowed } = settings.mfaPolicy
  const has = new Set(row.credentials)
  const readsMail = row.emailVerified && channels.includes('EMAIL')
  if (readsMail) has.add('email')
  if (row.phoneVerified && channels.includes('SMS')) has.add('sms')
  const reaches = (id: string) => id !== 'push' || channels.includes('PUSH')
  const second = secondFactors
    .filter(([id, type]) => has.has(type) && allowed.includes(type) && reaches(id))
    .map(([id]) => id)
  const able = new Set<string>(second)
  if (has.has('password')) for (const id of ['password', 'username-password']) able.add(id)
  if (row.hasPasskey) able.add('passkey')
  if (readsMail) able.add('magic-link')
  // Recovery codes alone are no second factor (contract 2.66).
  return { able, hasSecondFactor: second.some((id) => id !== 'recovery-code'), roles: new Set(row.roles) }
}
