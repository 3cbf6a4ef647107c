import { allowMessage } from '../messaging/index.ts'
import type { StepWork } from './types.ts'

// Long enough for a message to arrive, short enough for a person to wait.
const resendAfterMs = 30_000

/** How long a person waits before another message can be asked for. */
export function secondsUntilResend({ services, state }: StepWork, what: string): number {
  const sentAt = state.sentAt?.[what]
  if (sentAt === undefined) return 0
  return Math.max(0, Math.ceil((sentAt + resendAfterMs - services.clock.now()) / 1000))
}

/** Remembers when and where something was sent, for the wait before the next and for what it proves. */
export function noteSent({ state }: StepWork, what: string, to: string, now: number): void {
  state.sentAt = { ...state.sentAt, [what]: now }
  state.sentTo = { ...state.sentTo, [what]: to }
}

/** Whether the last one went to this address: a code proves nothing about another. */
export function wasSentTo({ state }: StepWork, what: string, to: string | null): boolean {
  return to !== null && state.sentTo?.[what] === to
}

/** Whether this address may get one more message now (contract 5.7). */
export async function allowSending(
  { services, realm }: Pick<StepWork, 'services' | 'realm'>,
  channel: 'EMAIL' | 'SMS',
  to: string,
): Promise<boolean> {
  return (await allowMessage(services, realm.realmId, channel, to)).allowed
}

/** An address as its owner recognises it and nobody else learns it. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@')
  if (at < 0) return `••••${address.slice(-2)}`
  const [first = ''] = address
  return `${first}•••@${address.slice(at + 1)}`
}
