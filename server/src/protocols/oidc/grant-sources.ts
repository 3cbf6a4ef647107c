import type { AdapterPayload } from 'oidc-provider'
import type { Services } from '../../domain/context/index.ts'
import {
  acrOf,
  amr,
  authenticatedAt,
  mayStillActFor,
  type Proof,
  touchEveryMs,
  touchSession,
} from '../../domain/sessions/index.ts'
import { type GrantSourceRow, modelId, readGrantSource, toTokenUser } from '../../domain/tokens/index.ts'
import { runRead } from '../../platform/db/index.ts'
import { pollSources, waitingModels } from './approvals/models.ts'
import { keepPace } from './approvals/pace.ts'
import { clientFacts } from './client-metadata.ts'
import { engineContext } from './internals.ts'
import type { IssuerParts } from './issuer.ts'
import { openPayload, withEnd } from './payloads.ts'
import { openWith } from './successor.ts'
import { currentUnit, type Payload, type Replay, type Unit } from './unit.ts'

/** Models that tokens are made from: each brings its grant, session and person along. */
export const grantSourceModels = new Set(['AuthorizationCode', 'RefreshToken', ...waitingModels])

export async function findGrantSource(
  services: Services,
  parts: IssuerParts,
  source: { model: string; value: string; id: Buffer },
): Promise<AdapterPayload | undefined> {
  const ahead = currentUnit()?.source
  const row =
    ahead?.key === source.id.toString('hex')
      ? ahead.row
      : await runRead(() => readGrantSource(services.db, parts.realmId, source.id))
  const now = services.clock.now()
  if (!row || row.model !== source.model || row.expires_at <= now) return undefined
  const unit = currentUnit()
  if (unit) rememberAround(services, unit, await withoutLostSession(services, parts.realmId, row), now)
  const payload = openPayload(parts, source.model, source.value, row.payload as Payload)
  if (waitingModels.has(source.model)) await slowDown(services, parts.realmId, source.id, payload)
  if (row.consumed_at === null) return payload
  const facts = clientFacts(engineContext()?.oidc.client)
  const grace = facts?.refreshTokenGraceSeconds ?? parts.settings.refreshTokenGraceSeconds
  // Only whoever wants tokens is answered as if nothing had happened; introspection tells the truth.
  const wantsTokens = source.model === 'RefreshToken' && engineContext()?.oidc.route === 'token'
  const replay = wantsTokens ? findReplay(source.value, row, now, grace) : null
  if (unit && replay) {
    unit.replay = replay
    return payload
  }
  if (unit && wantsTokens) {
    unit.reusedBy = { userId: row.user_id ?? '', username: row.username ?? '' }
  }
  return { ...payload, consumed: Math.floor(row.consumed_at / 1000) }
}

/** Whoever asks too often is told so, but never once there is an answer to give. */
async function slowDown(services: Services, realmId: string, id: Buffer, payload: Payload): Promise<void> {
  const isAnswered = payload.grantId !== undefined || payload.error !== undefined
  const isOver = Number(payload.exp ?? 0) * 1000 <= services.clock.now()
  if (isAnswered || isOver || engineContext()?.oidc.route !== 'token') return
  // Another client is refused; it must not use up the turn of the one that waits.
  if (payload.clientId !== engineContext()?.oidc.client?.clientId) return
  await keepPace(services, realmId, id.toString('hex'))
}

/** Within its grace, and while its successor is unused, a refresh token is answered with that same successor (contract 2.21). */
export function findReplay(value: string, row: GrantSourceRow, now: number, graceSeconds: number): Replay | null {
  // Without a grace a node whose clock is behind must not make one of the difference.
  const inGrace = graceSeconds > 0 && row.consumed_at !== null && now - row.consumed_at < graceSeconds * 1000
  if (!inGrace || !row.successor_sealed || !row.successor_id || row.successor_used_at !== null) return null
  const successor = openWith(value, row.successor_sealed)
  return successor === null ? null : { successor }
}

/** Whoever may no longer act as the person has no session to make tokens from (S12). */
async function withoutLostSession(services: Services, realmId: string, row: GrantSourceRow): Promise<GrantSourceRow> {
  const { impersonator_id: impersonatorId, user_id: userId } = row
  if (impersonatorId === null || userId === null) return row
  return (await mayStillActFor(services, realmId, { impersonatorId, userId })) ? row : { ...row, live_session_id: null }
}

function rememberAround(services: Services, unit: Unit, row: GrantSourceRow, now: number): void {
  if (row.grant_id && row.grant_payload && row.grant_expires_at! > now) {
    unit.grants.set(row.grant_id.toString('hex'), withEnd(row.grant_payload as Payload, row.grant_expires_at!))
  }
  if (row.user_id) unit.users.set(row.user_id, toTokenUser(row))
  if (row.live_session_id) rememberSession(services, unit, row, now)
}

function rememberSession(services: Services, unit: Unit, row: GrantSourceRow, now: number): void {
  const idleEnd = row.last_access_at! + row.idle_seconds! * 1000
  if (now >= row.session_expires_at! || now >= idleEnd) return
  const { clientId, grantId } = row.payload as { clientId: string; grantId: string }
  const proofs = row.proofs as Proof[]
  const id = row.live_session_id!
  const endsAt = Math.min(row.session_expires_at!, idleEnd)
  const secondsLeft = Math.floor((endsAt - now) / 1000)
  if (row.impersonator_id !== null) unit.acting = { impersonatorId: row.impersonator_id, secondsLeft, shown: null }
  unit.sessions.set(id, {
    uid: id,
    accountId: row.user_id,
    loginTs: Math.floor(authenticatedAt(proofs) / 1000),
    acr: acrOf(proofs),
    amr: amr(proofs),
    exp: Math.floor(endsAt / 1000),
    // Two tabs that begin at once make two grants, and the session remembers the later one; both are the session's own and end
    // with it, so the token's own grant is the one it is asked about.
    authorizations: row.session_key ? { [clientId]: { ...(row.session_key as Payload), grantId } } : {},
  })
  // Whoever uses an application uses the session it came from; a refresh keeps it alive.
  if (now - row.last_access_at! >= touchEveryMs) {
    unit.effects.push(() => touchSession(services.db, unit.realmId, id, now, false))
  }
}

/** The parameter of a token request that holds what the tokens are made from. */
const sourceParameters: Record<string, { model: string; parameter: string }> = {
  authorization_code: { model: 'AuthorizationCode', parameter: 'code' },
  refresh_token: { model: 'RefreshToken', parameter: 'refresh_token' },
  ...pollSources,
}

/** Reads what a token request is about before the engine asks for it piece by piece: its client's state comes along. */
export async function readAhead(services: Services, realmId: string, form: URLSearchParams): Promise<void> {
  const unit = currentUnit()
  const source = sourceParameters[form.get('grant_type') ?? '']
  const value = source ? form.get(source.parameter) : null
  if (!unit || !source || !value) return
  const id = modelId(source.model, value)
  const row = await runRead(() => readGrantSource(services.db, realmId, id))
  unit.source = { key: id.toString('hex'), row }
  if (row?.client_id && row.client_version !== null) {
    const { client_version: version, account_version } = row
    unit.clientStamps.set(row.client_id, { enabled: row.client_enabled ?? false, version, account_version })
  }
}
