import { cleanText } from './clean-text.ts'

/** What a page may say about the application it speaks of. */
export interface AskingClient {
  clientId: string
  name: string | null
}

/**
 * The name people know the application by; its id where nobody gave it one. One whose id is the address of its document chose its
 * name itself, so the host of the document stands beside it.
 */
export function clientLabel({ clientId, name }: AskingClient): string {
  const shown = cleanText(name ?? '')
  if (shown === '') return cleanText(clientId)
  const host = clientId.startsWith('https://') ? URL.parse(clientId)?.host : undefined
  return host ? `${shown} (${host})` : shown
}
