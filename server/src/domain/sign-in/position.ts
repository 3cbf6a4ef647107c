import { hashToken } from '../../platform/crypto/index.ts'
import { runRead } from '../../platform/db/index.ts'
import { isUuid, newId } from '../../platform/ids/index.ts'
import type { Context, Services } from '../context/index.ts'
import { flowsSection, type FlowType, type RunnableFlow } from '../flows/index.ts'
import type { SignInRequest } from './machine.ts'
import type { StepPage } from './pages.ts'
import { deleteSignIn, insertSignIn, readSignIn, updateSignIn } from './store.ts'
import type { Continuation, SignInState } from './types.ts'

// Long enough to fetch a telephone from another room, short enough that an abandoned screen is worth nothing.
const lifetimeMs = 30 * 60_000

export const expiredPage: StepPage = {
  page: 'LOGIN',
  username: '',
  error: 'expired',
  fields: 'BOTH',
  passkey: null,
  magicLink: false,
  qr: false,
}

export interface Position {
  id: string
  /** Null before the first POST: a GET writes nothing. */
  stored: { version: number } | null
  state: SignInState
  continuation: Continuation
  /** False when another request ended it first. */
  end(ctx: Context): Promise<boolean>
}

export const newState = (flowType: FlowType): SignInState => ({
  flowType,
  passed: [],
  userId: null,
  username: null,
  proofs: [],
  rememberMe: false,
})

/** A sign-in that begins here. */
export function takePosition(services: Services, request: SignInRequest, state: SignInState): Position {
  const id = newId(services.clock.now())
  return { id, stored: null, state, continuation: request.continuation, end: async () => true }
}

/** Where the sign-in of a request stands; null when it ended, belongs to another browser, or its flow was changed meanwhile. */
export async function findPosition(
  services: Services,
  request: SignInRequest,
): Promise<{ position: Position; flow: RunnableFlow } | null> {
  const flows = await request.realm.section(flowsSection)
  if (request.signInId === null)
    return { position: takePosition(services, request, newState('BROWSER')), flow: flows.BROWSER }
  if (!isUuid(request.signInId)) return null
  const row = await runRead(() => readSignIn(services.db, request.realm.realmId, request.signInId!))
  if (!row || row.expires_at <= services.clock.now()) return null
  if (!row.browser_hash.equals(hashToken(request.browserSecret))) return null
  const state = row.state as SignInState
  const flow = flows[state.flowType]
  if (row.flow_version !== flow?.version) return null
  const { id, version } = row
  const continuation = row.continuation as Continuation
  const end = (ctx: Context) => deleteSignIn(ctx.tx, ctx.realmId, id, version)
  return { position: { id, stored: { version }, state, continuation, end }, flow }
}

/** False when another request moved it meanwhile: then nothing is kept. */
export async function keepPosition(
  ctx: Context,
  position: Position,
  { state, flow, browserSecret }: { state: SignInState; flow: RunnableFlow; browserSecret: string },
): Promise<boolean> {
  if (position.stored) return updateSignIn(ctx.tx, ctx.realmId, position.id, position.stored.version, state)
  await insertSignIn(ctx.tx, {
    realmId: ctx.realmId,
    id: position.id,
    browserHash: hashToken(browserSecret),
    flowAlias: flow.alias,
    flowVersion: flow.version,
    state,
    continuation: position.continuation,
    now: ctx.now,
    expiresAt: ctx.now + lifetimeMs,
  })
  return true
}
