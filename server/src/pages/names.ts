// Names of authenticators and required actions as people read them; what has none is called by its id.

import { isMessage, type Locale, type MessageKey, translate } from './messages/index.ts'

type MethodKey = Extract<MessageKey, `method.${string}`>
type ActionKey = Extract<MessageKey, `action.${string}`>

export function describeMethod(locale: Locale, id: string): string {
  const key = `method.${id}`
  return isNamed<MethodKey>(key) ? translate(locale, key) : describeAction(locale, id)
}

export function describeAction(locale: Locale, id: string): string {
  const key = `action.${id}`
  return isNamed<ActionKey>(key) ? translate(locale, key) : id
}

function isNamed<Key extends MessageKey>(key: string): key is Key {
  return isMessage(key)
}
