import { createPrivateKey } from 'node:crypto'
import { DomainError, fieldError, notFound } from '../../../platform/errors/index.ts'
import { newId } from '../../../platform/ids/index.ts'
import type { Executor } from '../../../platform/db/index.ts'
import type { Loaded } from '../../admin-route/index.ts'
import type { Context, Services } from '../../context/index.ts'
import { raiseRealmVersion } from '../../snapshot/index.ts'
import { type Channel, type Driver, hasDriver, isChannel } from '../channels.ts'
import type { OpenProvider } from '../drivers/index.ts'
import { configSchemas, type HttpConfig, type ProviderConfig, type SmtpConfig } from './config-schema.ts'
import type { MessagingProvider, MessagingProviderInput } from './schema.ts'
import * as store from './store.ts'

// While all is well the time of the last success is this coarse.
const quietMs = 60_000

/** Where a sealed secret belongs; moved to another row it does not open. */
export function secretPlace(realmId: string, id: string): string {
  return `messaging_providers:${realmId}:${id}:secret`
}

export async function listProviders(db: Executor, realmId: string): Promise<MessagingProvider[]> {
  return (await store.selectProviders(db, realmId)).map((row) => toProvider(realmId, row))
}

export async function loadProvider(
  ctx: Context,
  place: { channel?: string | undefined; driver?: string | undefined },
  forUpdate: boolean,
): Promise<Loaded<MessagingProvider>> {
  const { channel, driver } = place
  if (!isChannel(channel) || !hasDriver(channel, driver)) throw notFound()
  if (forUpdate) await store.lockRealm(ctx.tx, ctx.realmId)
  const row = await store.selectProvider(ctx.tx, ctx.realmId, { channel, driver })
  if (!row) throw notFound()
  return { record: toProvider(ctx.realmId, row), version: row.version }
}

/** One record for each channel and driver: made when there is none (contract 2.82). */
export async function upsertProvider(
  ctx: Context,
  input: MessagingProviderInput,
): Promise<{ provider: MessagingProvider; version: number }> {
  await store.lockRealm(ctx.tx, ctx.realmId)
  const old = await store.selectProvider(ctx.tx, ctx.realmId, input)
  const id = old?.id ?? newId(ctx.now)
  if (old) assertSecretStays(old, input)
  const values: store.ProviderValues = {
    enabled: input.enabled,
    priority: input.priority,
    from_address: input.fromAddress,
    from_name: input.fromName,
    config: JSON.stringify(configSchemas[input.driver].parse(input.config)),
    secret_sealed: sealSecret(ctx, id, input.secret),
  }
  if (old) await store.updateProvider(ctx.tx, ctx.realmId, id, values)
  else {
    const { channel, driver } = input
    await store.insertProvider(ctx.tx, ctx.realmId, { ...values, id, channel, driver, created_at: ctx.now })
  }
  await raiseRealmVersion(ctx)
  const { record, version } = await loadProvider(ctx, input, false)
  return { provider: record, version }
}

/**
 * A stored secret never goes to another place than the one it was given for: whoever may change a provider could otherwise send
 * it to a host of their own and read it there.
 */
function assertSecretStays(old: store.ProviderRow, input: MessagingProviderInput): void {
  if (!old.secret_set || (input.secret !== undefined && input.secret !== null)) return
  const place = (config: unknown) => JSON.stringify(placeOf(input.driver, configSchemas[input.driver].parse(config)))
  if (place(old.config) !== place(input.config))
    throw fieldError('secret', 'Send the secret again: the provider is at another place now.', 'required')
}

/** Contract 2.2: omitted or null keeps the secret, an empty text clears it. */
function sealSecret(ctx: Context, id: string, secret: string | null | undefined): Buffer | null | undefined {
  if (secret === undefined || secret === null) return undefined
  return secret === '' ? null : ctx.services.sealer.seal(secret, secretPlace(ctx.realmId, id))
}

export async function deleteProvider(ctx: Context, provider: MessagingProvider): Promise<void> {
  await store.deleteProvider(ctx.tx, ctx.realmId, provider.id)
  await raiseRealmVersion(ctx)
}

const keyTypes: Partial<Record<Driver, string>> = { fcm: 'rsa', apns: 'ec' }

/** What can be said of a provider without speaking to it: whether its place may be reached and its key can be used. */
export function checkProvider({ egress }: Services, input: MessagingProviderInput): void {
  const config = configSchemas[input.driver].parse(input.config)
  const place = placeOf(input.driver, config)
  const check = place ? egress.check(place.target) : { ok: true as const }
  if (!check.ok) {
    const tls = check.reason === 'tls_required'
    const message = tls
      ? 'The connection must be encrypted.'
      : 'The service may not connect to this host (GATEHOUSE_EGRESS_ALLOW).'
    throw fieldError(tls && input.driver === 'smtp' ? 'config.tls' : place!.field, message)
  }
  const keyType = keyTypes[input.driver]
  if (keyType && input.secret && !isPrivateKey(input.secret, keyType)) {
    throw fieldError('secret', `The secret of ${input.driver} is a private key in PEM format.`)
  }
}

function placeOf(driver: Driver, config: ProviderConfig) {
  if (driver === 'http') return { field: 'config.url', target: (config as HttpConfig).url }
  if (driver !== 'smtp') return null
  const { host, port, tls } = config as SmtpConfig
  return { field: 'config.host', target: { host, port, tls, scheme: 'smtp' as const } }
}

function isPrivateKey(pem: string, type: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === type
  } catch {
    return false
  }
}

export interface UsableProvider extends OpenProvider {
  id: string
  driver: Driver
}

/** The enabled providers of a channel with their secrets opened, in the order in which they are tried. */
export async function openProviders(services: Services, realmId: string, channel: Channel): Promise<UsableProvider[]> {
  const rows = await store.selectUsable(services.db, realmId, channel)
  return rows.map((row) => ({
    id: row.id,
    driver: row.driver as Driver,
    config: row.config as ProviderConfig,
    fromAddress: row.from_address,
    fromName: row.from_name,
    secret: row.secret_sealed
      ? services.sealer.open(row.secret_sealed, secretPlace(realmId, row.id)).toString('utf8')
      : null,
  }))
}

/** Whether a message of the channel would find a provider, as this transaction sees it. */
export async function hasUsableProvider(db: Executor, realmId: string, channel: Channel): Promise<boolean> {
  return (await store.selectProviders(db, realmId)).some((row) => row.enabled && row.channel === channel)
}

export async function recordOutcome(
  services: Services,
  realmId: string,
  providerId: string,
  error: string | null,
): Promise<void> {
  const now = services.clock.now()
  if (error === null) await store.writeSuccess(services.db, realmId, providerId, { now, quietMs })
  else await store.writeFailure(services.db, realmId, providerId, { now, error })
}

/** DOWN while the latest word of an enabled provider is a failure (contract 4.21). */
export async function checkMessagingHealth(ctx: Context): Promise<'UP' | 'DOWN' | 'UNKNOWN'> {
  const enabled = (await store.selectProviders(ctx.tx, ctx.realmId)).filter((row) => row.enabled)
  if (enabled.length === 0) return 'UNKNOWN'
  const isFailing = (row: store.ProviderRow) =>
    row.last_failure_at !== null && row.last_failure_at >= (row.last_success_at ?? 0)
  return enabled.some(isFailing) ? 'DOWN' : 'UP'
}

export function noProvider(channel: Channel): DomainError {
  return new DomainError('no_provider', `The realm has no enabled provider for ${channel}.`)
}

function toProvider(realmId: string, row: store.ProviderRow): MessagingProvider {
  return {
    id: row.id,
    realmId,
    channel: row.channel as Channel,
    driver: row.driver as Driver,
    enabled: row.enabled,
    priority: row.priority,
    fromAddress: row.from_address,
    fromName: row.from_name,
    config: row.config as Record<string, unknown>,
    secret: null,
    secretSet: row.secret_set,
    createdAt: row.created_at,
    lastSuccessAt: row.last_success_at,
    lastFailureAt: row.last_failure_at,
    lastError: row.last_error,
  }
}
