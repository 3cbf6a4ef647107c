import type { Executor } from '../../platform/db/index.ts'
import { DomainError, fieldError, notFound } from '../../platform/errors/index.ts'
import { isUuid } from '../../platform/ids/index.ts'
import { isStorable } from '../../platform/text/index.ts'
import { type Paging, paging } from '../admin-route/index.ts'
import type { Context } from '../context/index.ts'
import { recordEvent } from '../events/index.ts'
import { revokeUserClientGrants } from '../tokens/index.ts'
import type { Consent, ConsentQuery } from './schema.ts'
import * as store from './store.ts'

// A client has fewer scopes and claims than this; without a bound, a client that is changed daily would let records grow for ever.
const maxEntries = 500
const maxResources = 100

/** The scopes allowed at each resource (RFC 8707). */
export type ResourceScopes = Record<string, string[]>

export interface ConsentGrant {
  userId: string
  clientUuid: string
  scopes: string[]
  claims: string[]
  resources: ResourceScopes
  source?: Consent['source']
  agentId?: string | null
}

export interface GrantedConsent {
  scopes: string[]
  claims: string[]
  resources: ResourceScopes
  grantedAt: number
  updatedAt: number
}

/** Adds to what the person allowed the client before; nothing that was allowed is lost. */
export async function recordConsent(ctx: Context, grant: ConsentGrant): Promise<GrantedConsent> {
  const { userId, clientUuid } = grant
  const clientId = await store.selectClientId(ctx.tx, ctx.realmId, clientUuid)
  if (clientId === null) throw notFound()
  await store.insertConsent(ctx.tx, {
    realm_id: ctx.realmId,
    user_id: userId,
    client_uuid: clientUuid,
    source: grant.source ?? 'USER',
    agent_id: grant.agentId ?? null,
    granted_at: ctx.now,
    updated_at: ctx.now,
  })
  const before = await store.lockConsent(ctx.tx, ctx.realmId, userId, clientUuid)
  // Revoked between the two statements, by the person in another window.
  if (!before) throw new DomainError('unavailable', 'The consent was revoked at this moment.', { retryAfterSeconds: 1 })
  const after = {
    scopes: joinLists(before.scopes, grant.scopes),
    claims: joinLists(before.claims, grant.claims),
    resources: joinResources(before.resources as ResourceScopes, grant.resources),
  }
  await store.updateConsent(ctx.tx, ctx.realmId, userId, clientUuid, {
    ...after,
    resources: JSON.stringify(after.resources),
    updated_at: ctx.now,
  })
  await recordConsentEvent(ctx, 'CONSENT_GRANTED', userId, clientId, after)
  return { ...after, grantedAt: before.granted_at, updatedAt: ctx.now }
}

/** Null when the person never allowed the client anything, or took it back. */
export async function readConsent(
  db: Executor,
  realmId: string,
  userId: string,
  clientUuid: string,
): Promise<GrantedConsent | null> {
  const row = await store.selectConsent(db, realmId, userId, clientUuid)
  if (!row) return null
  return {
    scopes: row.scopes,
    claims: row.claims,
    resources: row.resources as ResourceScopes,
    grantedAt: row.granted_at,
    updatedAt: row.updated_at,
  }
}

/** What a page of them is made of: the records, and for each the cursor after which to go on. */
export async function listConsents(
  db: Executor,
  realmId: string,
  userId: string,
  query: ConsentQuery,
): Promise<{ rows: { consent: Consent; cursor: string }[]; page: Paging }> {
  const page = paging(query)
  if (page.after !== null && !isUuid(page.after)) throw fieldError('after', 'after is what rel="next" carries')
  const rows = await store.selectConsents(db, realmId, userId, page)
  return { rows: rows.map((row) => ({ consent: toConsent(row), cursor: row.client_uuid })), page }
}

/** Takes back everything that the person allowed the client, with the refresh tokens that came of it. False when there was nothing. */
export async function revokeConsent(ctx: Context, userId: string, clientUuid: string): Promise<boolean> {
  const clientId = await store.selectClientId(ctx.tx, ctx.realmId, clientUuid)
  if (clientId === null) return false
  const wasThere = await store.deleteConsent(ctx.tx, ctx.realmId, userId, clientUuid)
  if (!wasThere) return false
  const grants = await revokeUserClientGrants(ctx, userId, clientId)
  await recordConsentEvent(ctx, 'CONSENT_REVOKED', userId, clientId, { grants })
  return true
}

/** The same for a client named in a path: by its id, else by what it calls itself (contract 4.8). */
export async function revokeConsentFor(ctx: Context, userId: string, client: string): Promise<void> {
  // No client is called what the database cannot hold.
  if (!isStorable(client)) throw notFound()
  if (isUuid(client) && (await revokeConsent(ctx, userId, client))) return
  const named = await store.selectClientUuid(ctx.tx, ctx.realmId, client)
  if (named === null || !(await revokeConsent(ctx, userId, named))) throw notFound()
}

/** Takes back what anybody allowed a client that is no longer the one they were shown; whoever calls this ends its tokens, too. */
export async function forgetClientConsents(ctx: Context, clientUuid: string): Promise<void> {
  await store.deleteConsentsAt(ctx.tx, ctx.realmId, clientUuid)
}

async function recordConsentEvent(
  ctx: Context,
  type: 'CONSENT_GRANTED' | 'CONSENT_REVOKED',
  userId: string,
  clientId: string,
  detail: object,
): Promise<void> {
  await recordEvent(ctx, {
    type,
    outcome: 'SUCCESS',
    resourceType: 'users',
    resourceId: userId,
    clientId,
    detail: JSON.stringify(detail),
    detailSubject: userId,
  })
}

function joinLists(before: string[], added: string[]): string[] {
  const joined = [...new Set([...before, ...added])].toSorted()
  if (joined.length > maxEntries) throw fieldError('scope', `A consent holds at most ${maxEntries} entries.`)
  return joined
}

function joinResources(before: ResourceScopes, added: ResourceScopes): ResourceScopes {
  const joined = new Map(Object.entries(before))
  for (const [resource, scopes] of Object.entries(added)) {
    joined.set(resource, joinLists(joined.get(resource) ?? [], scopes))
  }
  if (joined.size > maxResources) throw fieldError('resource', `A consent holds at most ${maxResources} resources.`)
  return Object.fromEntries(joined)
}

function toConsent(row: store.ListedConsent): Consent {
  return {
    clientId: row.client_id,
    clientName: row.name,
    scopes: row.scopes,
    claims: row.claims,
    grantedAt: row.granted_at,
    updatedAt: row.updated_at,
    source: row.source as Consent['source'],
    agentId: row.agent_id,
  }
}
