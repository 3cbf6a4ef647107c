// Logos of realms, fetched once and kept for a while. A host that is down or sends something else is asked seldom.
import { LRUCache } from 'lru-cache'
import type { Services } from '../../domain/context/index.ts'
import { EgressError } from '../../platform/egress/index.ts'
import { createLane } from '../../platform/lanes/index.ts'
import { imageType, type ImageType } from './image-type.ts'
import { contentTag } from './theme.ts'

export interface Logo {
  body: Buffer
  contentType: ImageType
  etag: string
}

export interface LogoLimits {
  maxBytes: number
  cacheBytes: number
  keepMs: number
  missingKeepMs: number
  timeoutMs: number
}

const defaultLimits: LogoLimits = {
  maxBytes: 256 * 1024, // a logo on a sign-in page is a tenth of it
  cacheBytes: 16 * 1024 * 1024, // a small part of a process; hundreds of usual logos fit
  keepMs: 10 * 60_000, // a picture replaced under the same address is seen soon enough
  missingKeepMs: 60_000, // anybody can ask for a logo, so a dead host may cost one call a minute and no more
  timeoutMs: 4000, // the sign-in form is already shown; nobody waits longer for a picture
}

// The most entries: negative ones weigh next to nothing and would otherwise not be bounded by bytes.
const maxEntries = 10_000
const entryBytes = 512

interface Entry {
  logo: Logo | null
}

export interface LogoCache {
  /** Null when the logo cannot be had at the moment. */
  find(url: string): Promise<Logo | null>
}

export function createLogoCache(
  { egress, log }: Pick<Services, 'egress' | 'log'>,
  limits: Partial<LogoLimits> = {},
): LogoCache {
  const { maxBytes, cacheBytes, keepMs, missingKeepMs, timeoutMs } = { ...defaultLimits, ...limits }
  // Slow hosts of some realms must not hold up the calls of everything else in the process.
  const lane = createLane({ name: 'logos', width: 8, queue: 64, retryAfterSeconds: 5 })

  async function fetchLogo(url: string): Promise<Logo | null> {
    try {
      const accept = 'image/png,image/jpeg,image/gif,image/webp,image/svg+xml'
      const answer = await egress.fetch(url, { headers: { accept }, timeoutMs, maxBytes })
      const contentType = answer.status === 200 ? imageType(answer.headers['content-type'], answer.body) : null
      if (contentType) return { body: answer.body, contentType, etag: contentTag(answer.body) }
      log.warn({ url: originOf(url), status: answer.status }, 'the logo is not a picture that can be shown')
    } catch (error) {
      if (!(error instanceof EgressError)) throw error
      log.warn({ url: originOf(url), reason: error.reason }, 'the logo could not be fetched')
    }
    return null
  }

  const cache = new LRUCache<string, Entry>({
    max: maxEntries,
    maxSize: cacheBytes,
    sizeCalculation: ({ logo }, url) => entryBytes + url.length * 2 + (logo?.body.length ?? 0),
    ttl: keepMs,
    // Many browsers wait for one call; none of them may cancel it for the others.
    ignoreFetchAbort: true,
    async fetchMethod(url, known, { options }) {
      const logo = await lane.run(() => fetchLogo(url))
      if (logo) return { logo }
      options.ttl = missingKeepMs
      // An old picture is better than none while its host is away.
      return known ?? { logo: null }
    },
  })

  return {
    async find(url) {
      return (await cache.fetch(url))?.logo ?? null
    },
  }
}

// The path of an address may hold a token; the log only needs to say which host failed.
function originOf(url: string): string {
  return URL.parse(url)?.origin ?? ''
}
