import type { Context, Services } from '../../context/index.ts'

/** The personal part of a message; it is sealed as a whole and emptied once the message is gone. */
export interface MessageContents {
  to: string
  locale: string | null
  values: Record<string, string>
}

/** Where it belongs; moved to another row it does not open. */
export function contentsPlace(realmId: string, id: string): string {
  return `messages:${realmId}:${id}:sealed`
}

export function sealContents(ctx: Context, id: string, contents: MessageContents): Buffer {
  return ctx.services.sealer.seal(JSON.stringify(contents), contentsPlace(ctx.realmId, id))
}

/** Null when it cannot be read any more, for instance because its master key is gone. */
export function openContents(
  { sealer }: Services,
  realmId: string,
  id: string,
  sealed: Buffer | null,
): MessageContents | null {
  if (!sealed) return null
  try {
    return JSON.parse(sealer.open(sealed, contentsPlace(realmId, id)).toString('utf8')) as MessageContents
  } catch {
    return null
  }
}
