import { randomInt, timingSafeEqual } from 'node:crypto'
import { hmac } from '../../platform/crypto/index.ts'
import { runRead } from '../../platform/db/index.ts'
import { newId } from '../../platform/ids/index.ts'
import type { Context, Services } from '../context/index.ts'
import * as store from './store.ts'
import type { Issue, Purpose } from './types.ts'

const digits = 6
// S41: a value of fewer than 128 bits is tried five times at most, whoever tries and wherever.
const maxTries = 5

/** Six digits for a person to type; the one before of this purpose and subject is worth nothing from now on. */
export async function issueCode(ctx: Context, issue: Issue): Promise<string> {
  const code = String(randomInt(10 ** digits)).padStart(digits, '0')
  await store.replaceSecret(ctx.tx, {
    realm_id: ctx.realmId,
    id: newId(ctx.now),
    purpose: issue.purpose,
    subject: issue.subject,
    value_hash: hashCode(ctx.services, { realmId: ctx.realmId, ...issue, code }),
    bound_to: issue.boundTo,
    details: JSON.stringify(issue.details ?? {}),
    sealed: null,
    created_at: ctx.now,
    expires_at: ctx.now + issue.ttlMs,
  })
  return code
}

export interface CodeUse {
  realmId: string
  purpose: Purpose
  subject: string
  boundTo: string | null
  code: string
}

/**
 * Counts the try before it compares, each in a statement of its own: neither parallel tries nor a transaction that is rolled
 * back give anybody a sixth one. GONE: there is none, it is over, or its tries are used up.
 */
export async function useCode(services: Services, use: CodeUse): Promise<'OK' | 'WRONG' | 'GONE'> {
  const code = readCode(use.code)
  // What cannot be a code is not compared, so it costs no try.
  if (code === null) return 'WRONG'
  const { realmId, purpose, subject, boundTo } = use
  const found = await runRead(() =>
    store.countTry(services.db, { realmId, purpose, subject, boundTo, now: services.clock.now(), maxTries }),
  )
  if (!found) return 'GONE'
  if (!timingSafeEqual(found.value_hash, hashCode(services, { ...use, code }))) return 'WRONG'
  const taken = await runRead(() => store.deleteSecret(services.db, realmId, found.id))
  return taken ? 'OK' : 'GONE'
}

/** The digits alone; null when it is no code. People copy the spaces that messages show. */
function readCode(text: string): string | null {
  if (text.length > 32) return null
  const code = text.replaceAll(/\s/g, '')
  return /^\d{6}$/.test(code) ? code : null
}

/** Keyed, because a million codes are tried in a second by whoever has the table; the key is not in the database. */
function hashCode(
  services: Services,
  { realmId, purpose, subject, code }: Pick<CodeUse, 'realmId' | 'purpose' | 'subject' | 'code'>,
): Buffer {
  return hmac(services.sealer.deriveKey('one-time-codes'), [realmId, purpose, subject, code].join('\0'))
}
