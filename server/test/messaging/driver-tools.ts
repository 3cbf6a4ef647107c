// What a driver is given, with hosts of a test in place of those of the world.
import type { DriverTools, OpenProvider, Outgoing } from '../../src/domain/messaging/drivers/index.ts'
import { configSchemas, type ProviderConfig } from '../../src/domain/messaging/providers/config-schema.ts'
import type { Driver } from '../../src/domain/messaging/channels.ts'
import { createEgress, parseEgressRule } from '../../src/platform/egress/index.ts'

/** Every name is this machine; certificates are still compared with the name. */
export function createTools(options: { ca?: string[]; allow?: string[] } = {}): DriverTools {
  const allow = (options.allow ?? ['smtp://127.0.0.1', 'http://127.0.0.1']).map(parseEgressRule)
  const { ca } = options
  const lookup = async () => [{ address: '127.0.0.1', family: 4 }]
  const egress = createEgress({ allow, lookup, ...(ca ? { ca } : {}) })
  return { egress, now: () => Date.now(), ownName: 'login.example.com', ...(ca ? { ca } : {}) }
}

export function createProvider<Config extends ProviderConfig>(
  driver: Driver,
  config: Record<string, unknown>,
  rest: Partial<Omit<OpenProvider, 'config'>> = {},
): OpenProvider & { config: Config } {
  const parsed = configSchemas[driver].parse(config) as Config
  return { config: parsed, fromAddress: 'login@example.com', fromName: 'Example', secret: null, ...rest }
}

export function createMessage(change: Partial<Outgoing> = {}): Outgoing {
  return {
    id: '01980000-0000-7000-8000-000000000001',
    to: 'ada@example.org',
    subject: 'Your code',
    text: 'Your code is 123456.',
    html: '<p>Your code is 123456.</p>',
    data: {},
    ...change,
  }
}

/** Tells when a driver hands over, and what had happened by then. */
export function createMark<T>(look: () => T = () => undefined as T) {
  const seen: T[] = []
  return { seen, handOver: async () => void seen.push(look()) }
}
