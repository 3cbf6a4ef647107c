import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { Services } from '../../domain/context/index.ts'
import { insertOnce, type ModelInsert, modelId, readModel } from '../../domain/tokens/index.ts'
import { readProtocolClient } from '../../domain/clients/index.ts'
import { runRead } from '../../platform/db/index.ts'
import { engineContext } from './internals.ts'
import { describeUserCode } from './approvals/device-codes.ts'
import { findGrantSource, grantSourceModels } from './grant-sources.ts'
import { toClientMetadata } from './client-metadata.ts'
import type { IssuerParts } from './issuer.ts'
import { describeModel, openPayload, withEnd } from './payloads.ts'
import { createSessionAdapter } from './session-adapter.ts'
import { sealSuccessor } from './successor.ts'
import { resumeWith } from './waiting.ts'
import { currentUnit, flushUnit, type Payload, type Unit, createUnit } from './unit.ts'

/** What the engine may ask of a model that is not kept, because it carries its own proof or lives elsewhere. */
const keepsNothing: Adapter = {
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  upsert: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
}

/** Gives the engine its models out of our tables: clients by key, sessions from the realm session, everything else by hash. */
export function createAdapter(services: Services, parts: IssuerParts): (model: string) => Adapter {
  return (model) => {
    switch (model) {
      case 'Client':
        return { ...keepsNothing, find: (clientId) => findClient(services, parts, clientId) }
      case 'Session':
        return { ...keepsNothing, ...createSessionAdapter(services, parts) }
      // Access tokens are JWTs; see access-tokens.ts for how they are found again.
      case 'AccessToken':
      case 'ClientCredentials':
        return keepsNothing
      default:
        return createModelAdapter(services, parts, model)
    }
  }
}

async function findClient(services: Services, parts: IssuerParts, clientId: string) {
  const client = await runRead(() => readProtocolClient(services, parts.realmId, clientId))
  return client?.enabled ? toClientMetadata(client, parts) : undefined
}

function createModelAdapter(services: Services, parts: IssuerParts, model: string): Adapter {
  const { realmId } = parts
  return {
    ...keepsNothing,
    async find(value) {
      const id = modelId(model, value)
      const key = id.toString('hex')
      const unit = currentUnit()
      if (unit?.removals.has(key)) return undefined
      const pending = unit?.models.get(key)
      if (pending) return { ...openPayload(parts, model, value, JSON.parse(pending.payload) as Payload) }
      const known = unit?.grants.get(key)
      if (known) return { ...known, jti: value } as AdapterPayload
      if (grantSourceModels.has(model)) return findGrantSource(services, parts, { model, value, id })
      const row = await runRead(() => readModel(services.db, realmId, id))
      if (!row || row.expires_at <= services.clock.now()) return undefined
      const payload = openPayload(parts, model, value, row.payload as Payload)
      if (model === 'Interaction') return resumeWith(payload)
      if (model === 'Grant') return withEnd(payload, row.expires_at)
      return { ...payload, ...(row.consumed_at === null ? {} : { consumed: Math.floor(row.consumed_at / 1000) }) }
    },
    async upsert(value, payload, expiresIn) {
      const row = describeModel(services, realmId, {
        model,
        value,
        payload: payload as Payload,
        expiresIn: expiresIn ?? 0,
      })
      await inUnit(services, realmId, (unit) => {
        const key = row.id.toString('hex')
        unit.models.set(key, row)
        unit.removals.delete(key)
        if (model === 'RefreshToken') sealSuccessor(unit, row.id, value)
        if (model === 'DeviceCode') rememberUserCode(unit, row, (payload as Payload).userCode)
        // Offline access lives as long as it is used, and so does what it was granted under.
        if (model === 'RefreshToken' && row.offline && row.grantId) {
          unit.grantEnds.set(row.grantId.toString('hex'), { id: row.grantId, expiresAt: row.expiresAt })
        }
      })
    },
    async consume(value) {
      const id = modelId(model, value)
      const use = { realmId, id, consumedAt: services.clock.now(), successorId: null, successorSealed: null }
      await inUnit(services, realmId, (unit) => {
        unit.consumptions.set(id.toString('hex'), { ...use })
        if (model === 'RefreshToken') unit.rotating = { id, value }
      })
    },
    destroy: (value) => removeModel(services, realmId, modelId(model, value)),
    revokeByGrantId,
  }

  async function revokeByGrantId(grantId: string): Promise<void> {
    // Revoking one access token leaves the sign-in it came from alone (RFC 7009 section 2.1 lets us choose).
    const oidc = engineContext()?.oidc
    if (oidc?.route === 'revocation' && oidc.entities.AccessToken) return
    await removeModel(services, realmId, modelId('Grant', grantId))
  }
}

function rememberUserCode(unit: Unit, device: ModelInsert, userCode: unknown): void {
  const row = describeUserCode(device, String(userCode))
  unit.models.set(row.id.toString('hex'), row)
}

function removeModel(services: Services, realmId: string, id: Buffer): Promise<void> {
  return inUnit(services, realmId, (unit) => {
    const key = id.toString('hex')
    unit.models.delete(key)
    unit.grants.delete(key)
    unit.removals.set(key, id)
  })
}

/** Gathers a write with the request's others, or does it at once where there is no request. */
async function inUnit(services: Services, realmId: string, change: (unit: Unit) => void): Promise<void> {
  const unit = currentUnit()
  if (unit) return change(unit)
  const alone = createUnit(realmId, { sourceIp: null, userAgent: null, traceId: '' })
  change(alone)
  await flushUnit(services, alone)
}

/** True when nobody used this value before: assertions and proofs are good once, on whatever node they arrive. */
export async function useOnce(
  services: Services,
  realmId: string,
  value: { issuer: string; jti: string; expiresAt: number },
): Promise<boolean> {
  const id = modelId('ReplayDetection', JSON.stringify([value.issuer, value.jti]))
  const row = { realmId, id, model: 'ReplayDetection', payload: '{}', grantId: null, userId: null, sessionId: null }
  const { expiresAt } = value
  return insertOnce(services.db, { ...row, clientId: null, offline: false, createdAt: services.clock.now(), expiresAt })
}
