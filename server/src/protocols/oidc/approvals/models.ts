/** The engine's models that a person answers while a program asks again and again. */
export const waitingModels: ReadonlySet<string> = new Set(['DeviceCode', 'BackchannelAuthenticationRequest'])

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
export const cibaGrant = 'urn:openid:params:grant-type:ciba'

/** What a program asks with, by the grant type of its request. */
export const pollSources = {
  [deviceGrant]: { model: 'DeviceCode', parameter: 'device_code' },
  [cibaGrant]: { model: 'BackchannelAuthenticationRequest', parameter: 'auth_req_id' },
} as const

export type WaitingKind = 'device' | 'ciba'

export const kindOfModel = (model: string): WaitingKind => (model === 'DeviceCode' ? 'device' : 'ciba')

// Contract 2.20 and 4.30.
export const pollIntervalSeconds = 5
