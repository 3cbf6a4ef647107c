import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import { DomainError } from '../errors/index.ts'
import type { Database } from './connection.ts'
import { asUnavailable, isRetryable } from './failures.ts'
import type { DB } from './types.generated.ts'

export type Tx = Transaction<DB>
/** Something that runs statements: a transaction, or the pool for single reads. */
export type Executor = Kysely<DB>

// Serialisation failures and deadlocks resolve within a few tries; more would only hide a design fault.
const maxTries = 5

export interface Work {
  tx: Tx
  /** Runs once, after the transaction committed; forgotten when it rolls back or is tried again. */
  afterCommit(effect: () => void): void
}

/** Thrown inside a transaction to undo it and still answer: the dry run. */
export class Rollback<T> extends Error {
  readonly value: T
  constructor(value: T) {
    super('rolled back on purpose')
    this.value = value
  }
}

/**
 * The one way to write. The whole closure runs again on a serialisation failure or deadlock, so it must not touch anything
 * outside the transaction: network calls and hashing come before it, side effects are jobs or `afterCommit`.
 */
export async function runTransaction<T>(db: Database, work: (work: Work) => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    const effects: (() => void)[] = []
    try {
      const result = await db.transaction().execute((tx) => work({ tx, afterCommit: (effect) => effects.push(effect) }))
      for (const effect of effects) effect()
      return result
    } catch (error) {
      if (error instanceof Rollback) return error.value as T
      if (error instanceof DomainError) throw error
      if (isRetryable(error) && tried < maxTries) {
        // A random pause lets the other transaction finish first.
        await sleep(Math.random() * 20 * tried)
        continue
      }
      throw asUnavailable(error)
    }
  }
}

/**
 * The same for work that ends in a single writing statement, which is a transaction by itself: three round trips less. What it
 * reads before is not protected by the statement, so the statement must carry its own conditions.
 */
export async function runSingle<T>(db: Database, work: (work: Work) => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    const effects: (() => void)[] = []
    try {
      // The pool offers everything a transaction does but its end.
      const result = await work({ tx: db as unknown as Tx, afterCommit: (effect) => effects.push(effect) })
      for (const effect of effects) effect()
      return result
    } catch (error) {
      if (!isRetryable(error) || tried === maxTries) throw error instanceof DomainError ? error : asUnavailable(error)
      await sleep(Math.random() * 20 * tried)
    }
  }
}

/** Work without a transaction, for reads: every statement stands for itself, and there is nothing to commit. */
export function workOnPool(db: Database): Work {
  return { tx: db as unknown as Tx, afterCommit: (effect) => effect() }
}

/** A single read outside a transaction, with the same translation of database failures. */
export async function runRead<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw asUnavailable(error)
  }
}
