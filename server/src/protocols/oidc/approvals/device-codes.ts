import { type ModelInsert, modelId } from '../../../domain/tokens/index.ts'

/** As people type it: any case, with whatever between the letters. */
export function normalizeUserCode(typed: string): string {
  return typed.toUpperCase().replaceAll(/[^A-Z]/g, '')
}

const model = 'UserCode'

export const userCodeId = (normalized: string) => modelId(model, normalized)

/** The row by which the code that a person types leads to the device's own; only the hashes of both are kept. */
export function describeUserCode(device: ModelInsert, userCode: string): ModelInsert {
  const { realmId, clientId, createdAt, expiresAt } = device
  const payload = JSON.stringify({ device: device.id.toString('base64url') })
  return {
    ...{ realmId, model, payload, clientId, expiresAt, id: userCodeId(userCode) },
    ...{ grantId: null, userId: null, sessionId: null, offline: false, createdAt },
  }
}
