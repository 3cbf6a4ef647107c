import type { KoaContextWithOIDC } from 'oidc-provider'
import { anonymous, asUser, type Services } from '../../domain/context/index.ts'
import type { GrantSourceRow } from '../../domain/tokens/index.ts'
import { clientFacts } from './client-metadata.ts'
import { renderFailure } from './failures.ts'
import { findReplay } from './grant-sources.ts'
import { exchangingActor } from './grants/exchanged-tokens.ts'
import { passwordGrant, tokenExchangeGrant } from './grants/names.ts'
import type { IssuerParts } from './issuer.ts'
import type { Unit } from './unit.ts'

const failureTypes: Record<string, string> = {
  authorization_code: 'CODE_TO_TOKEN_FAILURE',
  refresh_token: 'TOKEN_REFRESH_FAILURE',
  [tokenExchangeGrant]: 'TOKEN_EXCHANGE_FAILURE',
}

/** Failures are gathered: whoever knocks a thousand times a second must not make a thousand writes. */
export function recordFailure(services: Services, realmId: string, ctx: KoaContextWithOIDC, unit: Unit): void {
  const { error, error_description: description } = (ctx.body ?? {}) as Record<string, string | undefined>
  // Whoever waits asks every few seconds: that is no failure of anybody.
  if (!error || error === 'server_error' || error === 'authorization_pending' || error === 'slow_down') return
  const clientId = ctx.oidc.client?.clientId ?? null
  const isClient = error === 'invalid_client'
  const grantType = ctx.oidc.params?.grant_type as string | undefined
  // The sign-in has told it already, as the person's.
  if (grantType === passwordGrant && error === 'invalid_grant') return
  const type = isClient ? 'CLIENT_LOGIN_FAILURE' : (failureTypes[grantType ?? ''] ?? 'CLIENT_LOGIN_FAILURE')
  const known = clientId !== null && !isClient
  services.eventBatch.add({
    realmId,
    actor: known ? (exchangingActor(realmId, ctx) ?? { kind: 'CLIENT', clientId }) : anonymous(readSentClientId(ctx)),
    origin: unit.origin,
    at: services.clock.now(),
    event: { type, outcome: 'FAILURE', clientId, detail: [error, description].filter(Boolean).join(': ') },
  })
  if (unit.reusedBy) {
    const { userId, username } = unit.reusedBy
    const actor = asUser(realmId, { id: userId, username })
    unit.events.push({ actor, event: { type: 'REFRESH_TOKEN_REUSE', outcome: 'FAILURE', clientId } })
  }
}

function readSentClientId(ctx: KoaContextWithOIDC): string | null {
  const sent = ctx.oidc.params?.client_id
  return typeof sent === 'string' ? sent : null
}

export function findReplayOf(
  parts: IssuerParts,
  ctx: KoaContextWithOIDC,
  value: string,
  row: GrantSourceRow,
  now: number,
) {
  const grace = clientFacts(ctx.oidc.client)?.refreshTokenGraceSeconds ?? parts.settings.refreshTokenGraceSeconds
  return findReplay(value, row, now, grace)
}

/** A program hears that its code or token is spent, in the engine's own words; a person sees a page. */
export async function refuseLoser(
  services: Services,
  parts: IssuerParts,
  ctx: KoaContextWithOIDC,
  outcome: 'USED' | 'REVOKED',
): Promise<void> {
  const description = outcome === 'USED' ? 'grant request is invalid' : 'grant was revoked'
  const isProgram = ctx.oidc.route === 'token'
  ctx.status = 400
  ctx.remove('location')
  if (isProgram) ctx.body = { error: 'invalid_grant', error_description: description }
  else {
    const refusal = { error: 'invalid_request', error_description: 'this request was answered before' }
    await renderFailure(services, parts, ctx, refusal, new Error(refusal.error_description))
  }
}
