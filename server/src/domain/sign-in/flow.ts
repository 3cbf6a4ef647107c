import { createHash } from 'node:crypto'
import type { Flow } from './types.ts'

/** The built-in browser flow; realms choose their own once flows can be edited. */
export const browserFlow: Flow = pinFlow('browser', ['username-password'])

function pinFlow(alias: string, steps: string[]): Flow {
  const version = createHash('sha256').update(JSON.stringify(steps)).digest('hex').slice(0, 16)
  return { alias, version, steps }
}
