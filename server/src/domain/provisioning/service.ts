import { isDeepStrictEqual } from 'node:util'
import { DomainError } from '../../platform/errors/index.ts'
import type { Loaded } from '../admin-route/index.ts'
import { findUnknownScopes } from '../client-scopes/index.ts'
import { normaliseGrantTypes } from '../clients/index.ts'
import type { Context } from '../context/index.ts'
import { raiseRealmVersion } from '../snapshot/index.ts'
import { defaultProvisioning, type Provisioning, type ProvisioningInput, type StoredProvisioning } from './schema.ts'
import * as store from './store.ts'

export async function loadProvisioning(ctx: Context, forUpdate: boolean): Promise<Loaded<Provisioning>> {
  if (forUpdate) await store.lockProvisioning(ctx.tx, ctx.realmId)
  const row = await store.selectProvisioning(ctx.tx, ctx.realmId)
  const scimBaseUrl = `${ctx.services.config.baseUrl}/realms/${ctx.realmId}/scim/v2`
  return { record: { ...resolveProvisioning(row?.settings), scimBaseUrl }, version: row?.version ?? 0 }
}

export async function readProvisioning(ctx: Context): Promise<Provisioning> {
  return (await loadProvisioning(ctx, false)).record
}

/** `before` is what the caller already read and locked. */
export async function replaceProvisioning(
  ctx: Context,
  before: Loaded<Provisioning>,
  { scimBaseUrl: _readOnly, ...input }: ProvisioningInput,
): Promise<Loaded<Provisioning>> {
  const next = tidy(input)
  assertElsewhere(ctx, next.dcrAllowedResources)
  const added = next.dcrAllowedScopes.filter((name) => !before.record.dcrAllowedScopes.includes(name))
  await assertScopesExist(ctx, 'dcrAllowedScopes', added)
  const compact = compactProvisioning(next)
  if (!isDeepStrictEqual(compact, compactProvisioning(before.record))) {
    await store.writeProvisioning(ctx.tx, ctx.realmId, compact)
    await raiseRealmVersion(ctx)
  }
  return loadProvisioning(ctx, false)
}

/** Names every scope that is not there. */
export async function assertScopesExist(ctx: Context, member: string, names: string[]): Promise<void> {
  const unknown = await findUnknownScopes(ctx.tx, ctx.realmId, names)
  if (unknown.length === 0) return
  const message = `There is no client scope ${unknown.join(', ')}.`
  throw new DomainError('validation_failed', message, { fields: [{ field: member, code: 'not_found', message }] })
}

/** Tokens for this service itself, the admin API above all, are not for applications that nobody looked at (S8). */
function assertElsewhere(ctx: Context, resources: string[]): void {
  const own = URL.parse(ctx.services.config.baseUrl)!.href.replace(/\/$/, '')
  const fields = resources.flatMap((resource, at) =>
    `${URL.parse(resource)?.href ?? ''}/`.startsWith(`${own}/`)
      ? [{ field: `dcrAllowedResources[${at}]`, code: 'invalid', message: 'Name a resource outside of this service.' }]
      : [],
  )
  if (fields.length > 0) throw new DomainError('validation_failed', fields[0]!.message, { fields })
}

/** What is stored, with every default filled in; members of an earlier release that are no more are left out. */
export function resolveProvisioning(stored: unknown): StoredProvisioning {
  const kept = (stored ?? {}) as Partial<Record<string, unknown>>
  const entries = Object.entries(defaultProvisioning).map(([name, fallback]) => [name, kept[name] ?? fallback])
  return Object.fromEntries(entries) as StoredProvisioning
}

/** Only what differs from its default, so that a later release may move a default. */
function compactProvisioning(values: StoredProvisioning): Record<string, unknown> {
  const kept = Object.entries(defaultProvisioning).filter(
    ([name, fallback]) => !isDeepStrictEqual(values[name as keyof StoredProvisioning], fallback),
  )
  return Object.fromEntries(kept.map(([name]) => [name, values[name as keyof StoredProvisioning]]))
}

function tidy(input: Omit<ProvisioningInput, 'scimBaseUrl'>): StoredProvisioning {
  return {
    ...input,
    dcrAllowedGrantTypes: normaliseGrantTypes(input.dcrAllowedGrantTypes) as StoredProvisioning['dcrAllowedGrantTypes'],
    dcrAllowedScopes: unique(input.dcrAllowedScopes),
    dcrAllowedRedirectHosts: unique(input.dcrAllowedRedirectHosts),
    dcrAllowedResources: unique(input.dcrAllowedResources),
    cimdAllowedHosts: unique(input.cimdAllowedHosts),
  }
}

function unique(list: string[]): string[] {
  return [...new Set(list)]
}
