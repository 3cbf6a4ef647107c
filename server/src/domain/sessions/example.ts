import type { Context } from '../context/index.ts'
import { createSession } from './service.ts'

/** A second session of the caller, to be ended by the example. */
export async function exampleSession(ctx: Context): Promise<Record<string, string>> {
  if (ctx.actor.kind !== 'USER') throw new Error('the example needs a person')
  const session = await createSession(ctx, {
    userId: ctx.actor.userId,
    proofs: [{ method: 'password', at: ctx.now }],
    rememberMe: false,
    idleSeconds: 1800,
    maxSeconds: 36_000,
  })
  return { id: session.id }
}
