import { runRead } from '../../../platform/db/index.ts'
import type { Context, Services } from '../../context/index.ts'
import { selectFactors } from './store.ts'

/** What somebody has to prove themselves with besides a password. Whether the realm allows it is its policy's matter. */
export interface UsableFactors {
  totp: boolean
  webauthn: boolean
  /** At least one unused code; alone it is no second factor (contract 2.66). */
  recoveryCodes: boolean
  /** The address and the number, where they are verified. */
  email: string | null
  phone: string | null
}

const none: UsableFactors = { totp: false, webauthn: false, recoveryCodes: false, email: null, phone: null }

/** One statement: every sign-in asks. */
export async function listUsableFactors(
  from: Context | Services,
  realmId: string,
  userId: string,
): Promise<UsableFactors> {
  const row = await runRead(() => selectFactors('tx' in from ? from.tx : from.db, realmId, userId))
  if (!row) return none
  const { totp, webauthn, recovery_codes: recoveryCodes, email, phone } = row
  return { totp, webauthn, recoveryCodes, email, phone }
}
