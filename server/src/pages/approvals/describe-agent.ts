// A user agent in words (“Firefox on Linux”). It says what a device calls itself: a help to memory, never a proof.
import { readAgent } from '../../platform/text/index.ts'
import { type Locale, translate } from '../messages/index.ts'

export function describeAgent(locale: Locale, userAgent: string | null): string {
  const { browser, system, text } = readAgent(userAgent)
  if (text === '') return translate(locale, 'approval.unknown')
  if (browser && system) return translate(locale, 'approval.agent', { browser, system })
  return browser ?? text
}
