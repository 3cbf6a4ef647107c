import type { SealedColumn } from '../../platform/db/index.ts'
import type { AnyJob } from '../../platform/jobs/index.ts'
import type { SigningKey } from '../signing-keys/index.ts'
import type { Context, Services } from './index.ts'

/** A session that was just ended, with the applications that must hear of it. */
export interface EndedSession {
  id: string
  userId: string
  /** The administrator who acted as the person in it. */
  impersonatorId: string | null
  participants: SessionParticipant[]
}

/** An application in a session, and what its protocol calls the session there. */
export interface SessionParticipant {
  protocol: string
  clientId: string
  sessionKey: Record<string, unknown>
}

/** What a folder does in the same transaction when something it depends on ends (architecture 2). */
export interface Reactions {
  userDisabled?(ctx: Context, userId: string): Promise<void>
  userLocked?(ctx: Context, userId: string): Promise<void>
  userDeleted?(ctx: Context, userId: string): Promise<void>
  userLostRole?(ctx: Context, userId: string): Promise<void>
  sessionEnded?(ctx: Context, sessions: EndedSession[]): Promise<void>
  clientEnded?(ctx: Context, clientId: string): Promise<void>
  organizationEnded?(ctx: Context, orgId: string): Promise<void>
}

/** Who the first administrator of a new realm is, and the key it signs with. */
export interface RealmSeed {
  adminUsername: string
  adminEmail: string | null
  adminPasswordHash: string
  /** The administrator must choose another password at the first sign-in. */
  passwordTemporary: boolean
  /** Made before the transaction: it takes a while. */
  signingKey: SigningKey
}

/**
 * Something every realm has, with the seed version that brought it. A new realm gets all of them; a realm that is older gets
 * those it lacks when it is next loaded (contract 1.6), so it must do no harm where some of it is there already.
 */
export interface VersionedSeed {
  /** Version 1 is what `seed` alone makes; the next number is one more than the highest in the project. */
  since: number
  apply(ctx: Context): Promise<void>
}

export interface RealmHealth {
  component: string
  check(ctx: Context): Promise<'UP' | 'DOWN' | 'UNKNOWN'>
}

/** One kind of object in a realm's export and import. */
export interface TransferSection {
  section: string
  exportObjects(ctx: Context): Promise<unknown>
}

/**
 * No section of the export of a person's data shows more entries than this (contract 2.53). A section reads one more at most, so
 * that the document can say that it was cut.
 */
export const maxExportedEntries = 10_000

/** What a person's data shows of an administrator who acted as them: that somebody did (as `GET /account/activity` does). */
export const hiddenImpersonator = { impersonatorId: 'administrator', sourceIp: null, userAgent: null }

/** What the export of a person's data shows of a folder, and what their erasure removes there. */
export interface DataSubjectSection {
  section: string
  /** The tables it answers for; a test looks for every table that holds a person and is named by nobody. */
  tables: readonly string[]
  /** Fewer than everywhere else, where entries are large; `exportFor` reads one more. */
  maxEntries?: number
  exportFor(ctx: Context, userId: string): Promise<unknown>
  /** Runs while the person's row is still there, in the transaction that removes it. */
  eraseFor(ctx: Context, userId: string): Promise<void>
}

/** Traces of a person that say nothing to them and so are in no export: counters, unfinished requests, hashes of their names. */
export interface PersonalTraces extends Pick<DataSubjectSection, 'tables'> {
  /** `names` are the folded names under which the person signs in, for what was kept before anybody knew whose they are. */
  eraseFor(ctx: Context, userId: string, names: readonly string[]): Promise<void>
}

/** For tables whose rows the database itself removes with the person's (on delete cascade). */
export async function goesWithThePerson(): Promise<void> {}

/** What a domain folder contributes to work that cuts across folders. Collected once in app/module-list.ts. */
export interface Contribution {
  seed?(ctx: Context, seed: RealmSeed): Promise<void>
  seeds?: VersionedSeed[]
  reactions?: Reactions
  jobs?: AnyJob<Services>[]
  health?: RealmHealth[]
  transfer?: TransferSection[]
  dataSubject?: DataSubjectSection[]
  traces?: PersonalTraces[]
  /** Where the folder keeps sealed values, so that they can be sealed anew under a new master key. */
  sealed?: SealedColumn[]
}

/** What a realm that is made or brought up to date now has been given. */
export function currentSeedVersion(contributions: Contribution[]): number {
  return Math.max(1, ...contributions.flatMap(({ seeds = [] }) => seeds.map(({ since }) => since)))
}

/** Gives a realm everything that came after the version it was seeded with, in the order in which it came. */
export async function applySeeds(ctx: Context, afterVersion: number): Promise<void> {
  const seeds = ctx.services.contributions.flatMap((contribution) => contribution.seeds ?? [])
  const missing = seeds.filter(({ since }) => since > afterVersion).toSorted((a, b) => a.since - b.since)
  for (const seed of missing) await seed.apply(ctx)
}

type ReactionName = keyof Reactions

/** Lets every folder react to an ending, in the transaction of that ending. */
export async function react<Name extends ReactionName>(
  ctx: Context,
  name: Name,
  subject: Parameters<NonNullable<Reactions[Name]>>[1],
): Promise<void> {
  for (const contribution of ctx.services.contributions) {
    const reaction = contribution.reactions?.[name] as ((ctx: Context, subject: unknown) => Promise<void>) | undefined
    await reaction?.(ctx, subject)
  }
}
