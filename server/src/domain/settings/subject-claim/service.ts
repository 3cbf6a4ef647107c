import { randomBytes } from 'node:crypto'
import { fieldError } from '../../../platform/errors/index.ts'
import type { Loaded } from '../../admin-route/index.ts'
import { type SubjectStrategy, subjectStrategies } from '../../claims/index.ts'
import type { Context } from '../../context/index.ts'
import { readRealmCounters } from '../../counters/index.ts'
import { raiseRealmVersion } from '../../snapshot/index.ts'
import { openSecrets, readApart } from '../apart.ts'
import { requireRow, writeApart } from '../service.ts'
import { lockSettings, type SettingsRow, writeSettings } from '../store.ts'
import type { ChangedSubjectClaim, SubjectClaim, SubjectClaimInput } from './schema.ts'
import { countOwnSubjects } from './store.ts'

// As long as the hash it keys (RFC 2104).
const saltLength = 32

export async function loadSubjectClaim(ctx: Context, forUpdate: boolean): Promise<Loaded<SubjectClaim>> {
  if (forUpdate) await lockSettings(ctx.tx, ctx.realmId)
  const row = await requireRow(ctx.tx, ctx.realmId)
  const saltSet = readApart(row).secrets?.includes('pairwiseSalt') ?? false
  return { record: { ...readChoice(row), pairwiseSaltSet: saltSet }, version: row.version }
}

export async function readSubjectClaim(ctx: Context): Promise<SubjectClaim> {
  return (await loadSubjectClaim(ctx, false)).record
}

/** Changes what people are called from the next token on. `before` is what the caller already read and locked. */
export async function replaceSubjectClaim(
  ctx: Context,
  before: Loaded<SubjectClaim>,
  input: SubjectClaimInput,
): Promise<Loaded<ChangedSubjectClaim>> {
  const { strategy } = input
  if (strategy === 'ATTRIBUTE' && input.attribute === null) {
    throw fieldError('attribute', 'The strategy ATTRIBUTE needs the name of an attribute.', 'required')
  }
  const attribute = strategy === 'ATTRIBUTE' ? input.attribute : null
  if (strategy === 'PAIRWISE') await addPairwiseSalt(ctx)
  const isSame = strategy === before.record.strategy && attribute === before.record.attribute
  const affectedClients = isSame ? 0 : await countAffectedClients(ctx)
  if (!isSame) {
    const { settings } = await requireRow(ctx.tx, ctx.realmId)
    const changed = { ...(settings as object), subjectClaim: { strategy, attribute } }
    await writeSettings(ctx.tx, ctx.realmId, { settings: changed, sealed: undefined })
    await raiseRealmVersion(ctx)
  }
  const after = await loadSubjectClaim(ctx, false)
  return { record: { ...after.record, affectedClients }, version: after.version }
}

async function countAffectedClients(ctx: Context): Promise<number> {
  const all = (await readRealmCounters(ctx.tx, ctx.realmId)).get('clients') ?? 0
  return Math.max(0, all - (await countOwnSubjects(ctx.tx, ctx.realmId)))
}

/** Makes the realm's salt if it has none; true when it did. Never made anew: every pairwise subject would change. */
export async function addPairwiseSalt(ctx: Context): Promise<boolean> {
  await lockSettings(ctx.tx, ctx.realmId)
  const row = await requireRow(ctx.tx, ctx.realmId)
  const secrets = openSecrets(ctx.services.sealer, ctx.realmId, row.sealed)
  if (secrets.pairwiseSalt) return false
  const pairwiseSalt = randomBytes(saltLength).toString('base64')
  await writeApart(ctx, { ...(row.settings as object) }, { ...secrets, pairwiseSalt })
  return true
}

/** For whoever lets a client use pairwise subjects: afterwards `subjectClaimSection` has a salt. */
export async function ensurePairwiseSalt(ctx: Context): Promise<void> {
  if (await addPairwiseSalt(ctx)) await raiseRealmVersion(ctx)
}

export function readChoice(row: SettingsRow): { strategy: SubjectStrategy; attribute: string | null } {
  const stored = readApart(row).subjectClaim
  const strategy = subjectStrategies.find((known) => known === stored?.strategy) ?? 'USER_ID'
  return { strategy, attribute: stored?.attribute ?? null }
}
