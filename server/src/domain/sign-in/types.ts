import type { Context, Origin, Services } from '../context/index.ts'
import type { FlowStep, FlowType } from '../flows/index.ts'
import type { Level, Proof } from '../sessions/index.ts'
import type { RealmSettings } from '../settings/index.ts'
import type { RealmSnapshot } from '../snapshot/index.ts'
import type { StepPage } from './pages.ts'
import type { LoginUser } from './store.ts'

/** What happens once the person has signed in: a path of this server, where a protocol's own request waits for them. */
export interface Continuation {
  kind: 'REDIRECT'
  path: string
  /** The address of the application that the path leads on to, for the policy of the pages until then. */
  leadsTo?: string
  /** The application that asks, for conditions of the flow. */
  clientId?: string
  /** How strong a proof it asks for. */
  level?: Level
  /** Where somebody goes who gives up what they began by themselves. */
  cancelPath?: string
}

/** How a protocol sends a person to the sign-in page. */
export interface Arrival {
  path: string
  /** Of an application that asks; a page of our own asks for none. */
  leadsTo?: string
  clientId?: string
  /** The name to begin with (login_hint). */
  username: string
  level: Level
  /** Whether a session that is there may count for what it proved, or everything is asked anew. */
  fresh: boolean
  /** Languages the application asks for (ui_locales). */
  locales?: string
}

/** Where a sign-in stands. Only the server changes it. */
export interface SignInState {
  flowType: FlowType
  /** Ids of steps of the pinned flow that are passed, and names of required actions that are done. */
  passed: string[]
  userId: string | null
  username: string | null
  proofs: Proof[]
  rememberMe: boolean
  /** The name as typed, while nobody has proved to be that person. */
  typedName?: string
  /** When the password that was proved was set: a new one ends what the old one began. */
  passwordSetAt?: number | null
  /** The session that asks for more; without it there is nothing to add to. */
  sessionId?: string
  /** The authenticator chosen among several. */
  method?: string
  /** The challenge an authenticator has to sign; used once. */
  challenge?: string
  /** The question that is asked in another place (domain/device-approvals). */
  approval?: string
  /** When a code or link was last sent, by authenticator or action. */
  sentAt?: Record<string, number>
  /** The address it went to. */
  sentTo?: Record<string, string>
  /** Recovery codes that are shown and not yet kept, sealed. */
  recoveryCodes?: string
  /** The enrolment of a device that this sign-in waits for; the token is sealed. `asked`: it is a required action of the person. */
  enrollment?: { token: string; expiresAt: number; asked: boolean }
  /** What this sign-in was begun for beside the door itself: the actions of a mailed link, a new password. */
  actions?: string[]
  /** This browser is trusted by the person: no second factor is asked of it. */
  trustedDevice?: boolean
  /** The person wants this browser to be trusted once they are through. */
  trustDevice?: boolean
  /** The language the person reads, for messages sent on the way. */
  locale?: string
}

export type StepInput = Readonly<Record<string, string | undefined>>

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
  signInId: string
  browserSecret: string
  /** A step may write down what it has to remember; it is kept with the sign-in. */
  state: SignInState
  input: StepInput
  /** The step of the flow that is due; null for required actions. */
  flowStep: FlowStep | null
  /** The application that asks for the sign-in. */
  clientId: string | null
  /** Authenticators that would do as well here. */
  others: string[]
  /** The person, once somebody has proved to be them. */
  user: LoginUser | null
}

export interface Step<Prepared = unknown> {
  id: string
  /** Outside calls and hashing; no transaction is open. Runs only when the person sent something for this step. */
  prepare(work: StepWork): Promise<Prepared>
  /** In the transaction. `prepared` is null when the step is reached by the step before it: then it shows its page or passes silently. */
  decide(ctx: Context, work: StepWork, prepared: Prepared | null): Promise<StepOutcome>
}
