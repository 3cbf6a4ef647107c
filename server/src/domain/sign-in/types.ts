import type { Context, Services, Origin } from '../context/index.ts'
import type { Proof } from '../sessions/index.ts'
import type { RealmSettings } from '../settings/index.ts'
import type { RealmSnapshot } from '../snapshot/index.ts'
import type { LoginUser } from './store.ts'

/** What happens once the person has signed in: a path of this server, where a protocol's own request waits for them. */
export interface Continuation {
  kind: 'REDIRECT'
  path: string
  /** The address of the application that the path leads on to, for the policy of the pages until then. */
  leadsTo?: string
}

/** How a protocol sends a person to the sign-in page. */
export interface Arrival {
  path: string
  leadsTo: string
  /** The name to begin with (login_hint). */
  username: string
}

/** Where a sign-in stands. Only the server changes it. */
export interface SignInState {
  /** Steps of the pinned flow that are passed, and required actions that are done. */
  passed: string[]
  userId: string | null
  username: string | null
  proofs: Proof[]
  rememberMe: boolean
}

export type StepInput = Readonly<Record<string, string | undefined>>

/** What a person sees while a step waits for them. */
export type StepPage =
  | { page: 'LOGIN'; username: string; error: StepError | null }
  | {
      page: 'UPDATE_PASSWORD'
      username: string
      rules: string[]
      errors: { field: string; code: string; message: string }[]
    }

export type StepError = 'credentials' | 'usernameMissing' | 'passwordMissing' | 'rateLimited' | 'expired'

/**
 * How a step ends. It shows a page, decides silently, leaves for another site and returns, or waits for another device; a step
 * without a browser never gives PAGE, LEAVE or WAIT.
 */
export type StepOutcome =
  /** `user` as the step read it in this transaction and left it, so that it need not be read again. */
  | { kind: 'PASSED'; userId?: string; username?: string; proof?: Proof; user?: LoginUser }
  | { kind: 'PAGE'; page: StepPage; failed: boolean; retryAfterSeconds?: number }
  | { kind: 'LEAVE'; url: string }
  | { kind: 'WAIT'; page: StepPage; pollSeconds: number }

/** What a step knows before its transaction. */
export interface StepWork {
  services: Services
  realm: RealmSnapshot
  settings: RealmSettings
  origin: Origin
  state: Readonly<SignInState>
  input: StepInput
}

export interface Step<Prepared = unknown> {
  id: string
  /** Outside calls and hashing; no transaction is open. Runs only when the person sent something for this step. */
  prepare(work: StepWork): Promise<Prepared>
  /** In the transaction. `prepared` is null when the step is reached by the step before it: then it shows its page or passes silently. */
  decide(ctx: Context, work: StepWork, prepared: Prepared | null): Promise<StepOutcome>
}

export interface Flow {
  alias: string
  /** Hash of the steps: a sign-in under way keeps the flow it began with. */
  version: string
  steps: string[]
}
