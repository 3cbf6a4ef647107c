import { createHash } from 'node:crypto'
import { foldName } from '../../platform/text/index.ts'

/** The subject of what is sent to somebody who has no account yet. */
export function addressSubject(address: string): string {
  return createHash('sha256').update(foldName(address)).digest('hex')
}
