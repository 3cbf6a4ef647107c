import { hashToken } from '../../../../platform/crypto/index.ts'
import type { Context, Services } from '../../../context/index.ts'
import { useOnce } from '../../../one-time-secrets/index.ts'

// As long as the longest time that a realm gives people to touch their authenticator.
const lifetimeMs = 10 * 60_000
const maxLength = 1024

const place = (realmId: string, browserSecret: string) =>
  `passkey-challenge:${realmId}:${hashToken(browserSecret).toString('hex')}`

export interface OpenedChallenge {
  challenge: string
  expiresAt: number
}

/** For a page where no sign-in is kept yet: nothing is written until somebody answers. Bound to realm and browser. */
export function sealChallenge(services: Services, realmId: string, browserSecret: string, challenge: string): string {
  const content: OpenedChallenge = { challenge, expiresAt: services.clock.now() + lifetimeMs }
  return services.sealer.seal(JSON.stringify(content), place(realmId, browserSecret)).toString('base64url')
}

/** Null when it is foreign, made up or over. Whether it was used before, `consumeChallenge` tells. */
export function openChallenge(
  services: Services,
  realmId: string,
  browserSecret: string,
  text: string | undefined,
): OpenedChallenge | null {
  if (!text || text.length > maxLength) return null
  try {
    const sealed = Buffer.from(text, 'base64url')
    const opened = JSON.parse(services.sealer.open(sealed, place(realmId, browserSecret)).toString()) as OpenedChallenge
    return opened.expiresAt > services.clock.now() ? opened : null
  } catch {
    return null
  }
}

/** Once on all nodes together, in the transaction that accepts the answer. False when it was used before, or is over. */
export async function consumeChallenge(ctx: Context, challenge: string, expiresAt: number): Promise<boolean> {
  return useOnce(ctx, 'PASSKEY_CHALLENGE', challenge, expiresAt)
}
