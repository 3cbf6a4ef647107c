import { randomBytes } from 'node:crypto'
import { hash, type Options, parseOptions, verify } from '@node-rs/argon2'
import type { PasswordPolicy } from './schema.ts'

export type HashCost = Pick<PasswordPolicy, 'hashMemoryKib' | 'hashIterations' | 'hashParallelism'>

/** OWASP's first recommendation for Argon2id (contract 2.51): the floor for every realm. */
export const defaultCost: HashCost = { hashMemoryKib: 19_456, hashIterations: 2, hashParallelism: 1 }

/** A stored hash may come from an import; one that asks for more than any policy can is refused, not computed. */
const maxCost: HashCost = { hashMemoryKib: 262_144, hashIterations: 10, hashParallelism: 4 }

// The package's enum is erased at build time, so its value is written out.
const argon2id = 2 as NonNullable<Options['algorithm']>
const saltBytes = 16
const outputBytes = 32

/** Upwards only: a stored policy below the floor counts as the floor. */
function effectiveCost(policy: HashCost): HashCost {
  return {
    hashMemoryKib: Math.max(policy.hashMemoryKib, defaultCost.hashMemoryKib),
    hashIterations: Math.max(policy.hashIterations, defaultCost.hashIterations),
    hashParallelism: Math.max(policy.hashParallelism, defaultCost.hashParallelism),
  }
}

export function hashNormalised(password: string, policy: HashCost): Promise<string> {
  const cost = effectiveCost(policy)
  return hash(password, {
    algorithm: argon2id,
    memoryCost: cost.hashMemoryKib,
    timeCost: cost.hashIterations,
    parallelism: cost.hashParallelism,
    outputLen: outputBytes,
  })
}

/** null for anything that is not an Argon2id PHC string of bearable cost. */
function readHash(phc: string): (HashCost & { outputLen: number; saltLen: number }) | null {
  if (phc.length > 512 || !phc.startsWith('$argon2id$v=19$')) return null
  try {
    const { memoryCost, timeCost, parallelism, outputLen, saltLen } = parseOptions(phc)
    if (memoryCost > maxCost.hashMemoryKib || timeCost > maxCost.hashIterations) return null
    if (parallelism > maxCost.hashParallelism) return null
    return { hashMemoryKib: memoryCost, hashIterations: timeCost, hashParallelism: parallelism, outputLen, saltLen }
  } catch {
    return null
  }
}

/** Whether a stored or imported string is a hash this service can verify. */
export function isPasswordHash(phc: string): boolean {
  return readHash(phc) !== null
}

/** True when the hash is weaker than the policy now asks for; a stronger one is left as it is. */
export function needsRehash(phc: string, policy: HashCost): boolean {
  const found = readHash(phc)
  if (!found) return true
  const wanted = effectiveCost(policy)
  return (
    found.hashMemoryKib < wanted.hashMemoryKib ||
    found.hashIterations < wanted.hashIterations ||
    found.hashParallelism < wanted.hashParallelism ||
    found.outputLen < outputBytes ||
    found.saltLen < saltBytes
  )
}

/**
 * A well-formed hash that no password matches: its digest is random, not computed, so making it costs nothing and the
 * verification of it costs exactly as much as that of a real one (S42: the time must not tell whether a user exists).
 */
export function makeDummyHash(policy: HashCost): string {
  const cost = effectiveCost(policy)
  const base64 = (bytes: number) => randomBytes(bytes).toString('base64').replaceAll('=', '')
  const parameters = `m=${cost.hashMemoryKib},t=${cost.hashIterations},p=${cost.hashParallelism}`
  return `$argon2id$v=19$${parameters}$${base64(saltBytes)}$${base64(outputBytes)}`
}

/** An unknown user and an unreadable hash both take the way of a wrong password. */
export async function verifyNormalised(phc: string | null, password: string, policy: HashCost): Promise<boolean> {
  const isReal = phc !== null && isPasswordHash(phc)
  const matches = await verify(isReal ? phc : makeDummyHash(policy), password)
  return isReal && matches
}
