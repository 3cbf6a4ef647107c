export interface Load {
  url: string
  connections: number
  seconds: number
}

/** Requests sent in turn, or each of them once. */
export interface ListJob extends Load {
  kind: 'list'
  requests: string[]
  once?: boolean
  /** A part of the text of every right answer. */
  mustContain?: string
  /** The status of every right answer; 200 unless told. */
  status?: number
  /** Sends at this rate whatever the answers take, as devices do that poll; as fast as can be unless told. */
  perSecond?: number
}

/** A refresh token and whose it is; each use brings the next one. */
export interface Chain {
  path: string
  authorization: string
  refreshToken: string
  accessToken: string
}

export interface RefreshJob extends Load {
  kind: 'refresh'
  chains: Chain[]
  /** Each of them once. */
  once?: boolean
}

/** Whole sign-ins of browsers that come for the first time: authorize, form, password, code exchange. */
export interface SignInJob extends Load {
  kind: 'sign-in'
  authorizationPath: string
  tokenPath: string
  clientId: string
  authorization: string
  redirectUri: string
  people: { username: string; password: string }[]
}

export type Job = ListJob | RefreshJob | SignInJob

export interface Outcome {
  done: number
  perSecond: number
  p50: number
  p99: number
  /** As they are after a refresh job. */
  chains: Chain[]
}

export type Reply = { outcome: Outcome } | { failure: string }
