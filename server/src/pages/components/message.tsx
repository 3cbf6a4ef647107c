// A sentence of the catalogue with values from outside in it, each kept apart so that its direction cannot spill over.

import { type Locale, type MessageKey, type MessageParams, splitMessage } from '../messages/index.ts'

interface MessageProps<Key extends MessageKey> {
  locale: Locale
  id: Key
  values: NonNullable<MessageParams<Key>[0]>
}

export function Message<Key extends MessageKey>({ locale, id, values }: MessageProps<Key>) {
  const known: Readonly<Record<string, string | number>> = values
  return (
    <>
      {splitMessage(locale, id).map((part) =>
        part.placeholder ? <bdi key={part.text}>{known[part.text]}</bdi> : part.text,
      )}
    </>
  )
}
