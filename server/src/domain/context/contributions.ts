import type { SealedColumn } from '../../platform/db/index.ts'
import type { AnyJob } from '../../platform/jobs/index.ts'
import type { SigningKey } from '../signing-keys/index.ts'
import type { Context, Services } from './index.ts'

/** What a folder does in the same transaction when something it depends on ends (architecture 2). */
export interface Reactions {
  userDisabled?(ctx: Context, userId: string): Promise<void>
  userLocked?(ctx: Context, userId: string): Promise<void>
  userDeleted?(ctx: Context, userId: string): Promise<void>
  userLostRole?(ctx: Context, userId: string): Promise<void>
  sessionEnded?(ctx: Context, sessionIds: string[]): Promise<void>
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

export interface RealmHealth {
  component: string
  check(ctx: Context): Promise<'UP' | 'DOWN' | 'UNKNOWN'>
}

/** One kind of object in a realm's export and import. */
export interface TransferSection {
  section: string
  exportObjects(ctx: Context): Promise<unknown>
}

/** What the export of a person's data shows of a folder, and what their erasure removes there. */
export interface DataSubjectSection {
  section: string
  exportFor(ctx: Context, userId: string): Promise<unknown>
  eraseFor(ctx: Context, userId: string): Promise<void>
}

/** What a domain folder contributes to work that cuts across folders. Collected once in app/module-list.ts. */
export interface Contribution {
  seed?(ctx: Context, seed: RealmSeed): Promise<void>
  reactions?: Reactions
  jobs?: AnyJob<Services>[]
  health?: RealmHealth[]
  transfer?: TransferSection[]
  dataSubject?: DataSubjectSection[]
  /** Where the folder keeps sealed values, so that they can be sealed anew under a new master key. */
  sealed?: SealedColumn[]
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
