/** The engine's models that a person answers while a program asks again and again. */
export const waitingModels: ReadonlySet<string> = new Set(['DeviceCode', 'BackchannelAuthenticationRequest'])

export type WaitingKind = 'device' | 'ciba'

export const kindOfModel = (model: string): WaitingKind => (model === 'DeviceCode' ? 'device' : 'ciba')

// Contract 2.20 and 4.30.
export const pollIntervalSeconds = 5
