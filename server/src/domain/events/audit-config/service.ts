import type { Config } from '../../../platform/config/index.ts'
import type { Sealer } from '../../../platform/crypto/index.ts'
import type { Database } from '../../../platform/db/index.ts'
import { DomainError, fieldError } from '../../../platform/errors/index.ts'
import type { Loaded } from '../../admin-route/index.ts'
import type { Context } from '../../context/index.ts'
import type { ForwarderConfig } from '../forwarder.ts'
import { type AuditConfig, type AuditConfigInput, defaultAuditConfig } from './schema.ts'
import { lockAuditConfigRow, readAuditConfigRow, type StoredAuditConfig, writeAuditConfigRow } from './store.ts'

type Members = typeof defaultAuditConfig

export const tokenPlace = 'server_settings:audit-config:token'

/** The environment wins over what is stored, and then nothing can be changed here (contract 2.93). */
const isFixed = ({ audit }: Config) => audit.httpUrl !== null || audit.httpToken !== null || audit.timeoutMs !== null

function membersOf(stored: StoredAuditConfig, { audit }: Config): Members {
  const members = { ...defaultAuditConfig, ...(stored.value as Partial<Members>) }
  return { ...members, httpUrl: audit.httpUrl ?? members.httpUrl, timeoutMs: audit.timeoutMs ?? members.timeoutMs }
}

function present(members: Members, hasToken: boolean): AuditConfig {
  const httpConfigured = members.httpUrl !== null
  return {
    enabled: members.enabled,
    transports: httpConfigured && members.enabled ? ['stdout', 'http'] : ['stdout'],
    httpUrl: members.httpUrl,
    httpConfigured,
    authConfigured: hasToken,
    categories: members.categories,
    timeoutMs: members.timeoutMs,
  }
}

export async function loadAuditConfig(ctx: Context, forUpdate: boolean): Promise<Loaded<AuditConfig>> {
  const { config } = ctx.services
  const stored = forUpdate ? await lockAuditConfigRow(ctx.tx) : await readAuditConfigRow(ctx.tx)
  const hasToken = config.audit.httpToken !== null || stored.sealed !== null
  return { record: present(membersOf(stored, config), hasToken), version: stored.version }
}

/** Administrators of other realms learn that there is a receiver, not where. */
export function maskForCaller(ctx: Context, record: AuditConfig): AuditConfig {
  const isSystem = ctx.actor.kind === 'USER' && ctx.actor.realmId === ctx.services.config.bootstrap.realm
  if (isSystem || record.httpUrl === null) return record
  return { ...record, httpUrl: `${new URL(record.httpUrl).protocol}//…` }
}

export async function replaceAuditConfig(ctx: Context, input: AuditConfigInput) {
  const { config, sealer } = ctx.services
  if (isFixed(config)) {
    throw new DomainError(
      'protected',
      'The audit configuration is set by GATEHOUSE_AUDIT_HTTP_… and cannot be changed here.',
    )
  }
  const members: Members = {
    enabled: input.enabled ?? defaultAuditConfig.enabled,
    httpUrl: input.httpUrl ?? null,
    categories: [...new Set(input.categories ?? defaultAuditConfig.categories)],
    timeoutMs: input.timeoutMs ?? defaultAuditConfig.timeoutMs,
  }
  checkReceiver(ctx, members.httpUrl)
  const { sealed: kept } = await readAuditConfigRow(ctx.tx)
  const token = input.httpAuthToken ?? null
  const sealed = token === null ? kept : token === '' ? null : sealer.seal(token, tokenPlace)
  const version = await writeAuditConfigRow(ctx.tx, members, sealed)
  return { record: present(members, sealed !== null), version }
}

function checkReceiver(ctx: Context, httpUrl: string | null): void {
  if (httpUrl === null) return
  const { username, password } = new URL(httpUrl)
  if (username || password) throw fieldError('httpUrl', 'Give the token as httpAuthToken, not inside the URL.')
  const check = ctx.services.egress.check(httpUrl)
  if (!check.ok)
    throw fieldError('httpUrl', 'The service may not call this address; see GATEHOUSE_EGRESS_ALLOW.', check.reason)
}

/** For the forwarder: null when nothing is to be forwarded. */
export async function readForwarderConfig(sources: {
  db: Database
  sealer: Sealer
  config: Config
}): Promise<ForwarderConfig | null> {
  const { db, sealer, config } = sources
  const stored = await readAuditConfigRow(db)
  const { enabled, httpUrl, categories, timeoutMs } = membersOf(stored, config)
  if (!enabled || httpUrl === null) return null
  const storedToken = stored.sealed && sealer.open(stored.sealed, tokenPlace).toString('utf8')
  return { httpUrl, categories, timeoutMs, token: config.audit.httpToken ?? storedToken }
}
