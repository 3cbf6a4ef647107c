/** What a page may say about the application it speaks of. */
export interface AskingClient {
  clientId: string
  name: string | null
}

/** The name people know the application by; its id where nobody gave it one. */
export function clientLabel({ clientId, name }: AskingClient): string {
  return name?.trim() ? name : clientId
}
