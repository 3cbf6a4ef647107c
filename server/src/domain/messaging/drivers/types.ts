import type { Egress } from '../../../platform/egress/index.ts'
import type { ProviderConfig } from '../providers/config-schema.ts'

/** A message as it leaves: rendered, for one recipient. */
export interface Outgoing {
  /** The same at every try, so that a receiver who knows it can tell a repetition. */
  id: string
  to: string
  subject: string | null
  text: string
  /** The HTML part of a mail. */
  html: string | null
  /** What an application on a device gets beside the text. */
  data: Record<string, string>
}

/** A provider with its secret opened. */
export interface OpenProvider {
  config: ProviderConfig
  fromAddress: string | null
  fromName: string | null
  secret: string | null
}

export interface DriverTools {
  egress: Egress
  /** Epoch milliseconds. */
  now(): number
  /** How we introduce ourselves to mail servers. */
  ownName: string
  /** PEM certificates to trust instead of the system's, where the server is not reached over `egress` alone. */
  ca?: string[]
}

/** Commits that the message is about to be out of our hands. Called once, before the last byte; nothing is sent if it throws. */
export type HandOver = () => Promise<void>

export interface Delivered {
  /** What the provider calls the message. */
  providerId: string | null
}

export type SendMessage<Config extends ProviderConfig> = (
  tools: DriverTools,
  provider: OpenProvider & { config: Config },
  message: Outgoing,
  handOver: HandOver,
) => Promise<Delivered>

/**
 * How a try ended: `failed` = certainly not delivered, `unconfirmed` = handed over and no answer came, `gone` = the recipient
 * is no longer there and never will be.
 */
export type FailureKind = 'failed' | 'unconfirmed' | 'gone'

/** The message is for administrators: it holds no secret; `attempt` takes the address out of what servers said. */
export class DeliveryError extends Error {
  readonly kind: FailureKind
  constructor(kind: FailureKind, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'DeliveryError'
    this.kind = kind
  }
}
