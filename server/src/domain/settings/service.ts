import { isDeepStrictEqual } from 'node:util'
import type { Sealer } from '../../platform/crypto/index.ts'
import type { Executor } from '../../platform/db/index.ts'
import { DomainError, notFound } from '../../platform/errors/index.ts'
import type { Loaded } from '../admin-route/index.ts'
import type { Context } from '../context/index.ts'
import { raiseRealmVersion } from '../snapshot/index.ts'
import { openSecrets, readApart, sealSecrets, type Secrets } from './apart.ts'
import { checkSettings } from './checks.ts'
import { changedSecret, compactSettings, mergeSettings, resolveSettings } from './merge.ts'
import type { RealmSettings, SettingsChange } from './schema.ts'
import {
  lockSettings,
  readSealed,
  readSettingsRow,
  type SettingsRow,
  writeRealmMembers,
  writeSettings,
} from './store.ts'

/** The settings as stored now, not as of the snapshot. */
export async function readSettings(ctx: Context): Promise<RealmSettings> {
  return (await loadSettings(ctx, false)).record
}

export async function loadSettings(ctx: Context, forUpdate: boolean): Promise<Loaded<RealmSettings>> {
  if (forUpdate) await lockSettings(ctx.tx, ctx.realmId)
  const row = await requireRow(ctx.tx, ctx.realmId)
  return { record: resolveRow(ctx.realmId, row), version: row.version }
}

/** Merges a change into the settings (contract 2.64). `loaded` is what the caller already read and locked. */
export async function updateSettings(
  ctx: Context,
  change: SettingsChange,
  loaded?: Loaded<RealmSettings>,
): Promise<Loaded<RealmSettings>> {
  const current = loaded ?? (await loadSettings(ctx, true))
  const next = mergeSettings(current.record, change)
  checkSettings(next, change, new URL(ctx.services.config.baseUrl).hostname)
  const secret = changedSecret(change)
  const isSame = isDeepStrictEqual(next, current.record)
  if (isSame && (secret === undefined || (secret === null && !current.record.captcha.secretSet))) return current

  if (current.record.enabled && !next.enabled) await refuseSystemRealm(ctx)
  await writeChange(ctx, compactSettings(next), secret)
  if (next.displayName !== current.record.displayName || next.enabled !== current.record.enabled) {
    await writeRealmMembers(ctx.tx, ctx.realmId, next)
  }
  await raiseRealmVersion(ctx)
  return await loadSettings(ctx, false)
}

/** Replaces the settings in the row and carries over what is kept beside them. */
async function writeChange(
  ctx: Context,
  settings: Record<string, unknown>,
  captcha: string | null | undefined,
): Promise<void> {
  const row = await requireRow(ctx.tx, ctx.realmId)
  const { secrets: names, ...apart } = readApart(row)
  if (captcha === undefined) {
    const kept = { ...settings, ...apart, ...(names ? { secrets: names } : {}) }
    return writeSettings(ctx.tx, ctx.realmId, { settings: kept, sealed: undefined })
  }
  const { captcha: _before, ...others } = openSecrets(ctx.services.sealer, ctx.realmId, row.sealed)
  await writeApart(ctx, { ...settings, ...apart }, captcha === null ? others : { ...others, captcha })
}

/** Writes the row with these secrets; `settings` has everything else that is kept in it. */
export async function writeApart(ctx: Context, settings: Record<string, unknown>, secrets: Secrets): Promise<void> {
  const { sealed, names } = sealSecrets(ctx.services.sealer, ctx.realmId, secrets)
  const { secrets: _before, ...rest } = settings
  await writeSettings(ctx.tx, ctx.realmId, {
    settings: names.length === 0 ? rest : { ...rest, secrets: names },
    sealed,
  })
}

/** The secret key at the captcha provider. It is read when needed and is in no snapshot. */
export async function openCaptchaSecret(
  sources: { db: Executor; sealer: Sealer },
  realmId: string,
): Promise<string | null> {
  const sealed = await readSealed(sources.db, realmId)
  return openSecrets(sources.sealer, realmId, sealed).captcha ?? null
}

/** Null when there is no such realm. */
export async function findSettings(db: Executor, realmId: string): Promise<RealmSettings | null> {
  const row = await readSettingsRow(db, realmId)
  return row ? resolveRow(realmId, row) : null
}

function resolveRow(realmId: string, row: SettingsRow): RealmSettings {
  return resolveSettings({
    realmId,
    displayName: row.display_name,
    enabled: row.enabled,
    settings: row.settings,
    hasSecret: readApart(row).secrets?.includes('captcha') ?? false,
  })
}

export async function requireRow(db: Executor, realmId: string): Promise<SettingsRow> {
  const row = await readSettingsRow(db, realmId)
  if (!row) throw notFound()
  return row
}

async function refuseSystemRealm(ctx: Context): Promise<void> {
  const { system } = await requireRow(ctx.tx, ctx.realmId)
  // Nobody would be left to enable it again.
  if (system) throw new DomainError('protected', 'The system realm cannot be disabled.')
}
