import { runRead } from '../../platform/db/index.ts'
import type { Services } from '../context/index.ts'
import { findApproval } from '../device-approvals/index.ts'
import { findEnrolledDevice } from '../devices/index.ts'
import type { SignInRequest } from './machine.ts'
import { findPosition } from './position.ts'

/** WAITING for another device, SCANNED by one, or READY to look at what became of it. */
export type WaitState = 'WAITING' | 'SCANNED' | 'READY'

/** How a sign-in that waits stands, for the script of its page. It only looks: what was answered counts when the form is sent. */
export async function readWaitState(services: Services, request: SignInRequest): Promise<WaitState> {
  const found = request.signInId === null ? null : await findPosition(services, request)
  // A sign-in that ended has something to tell, too.
  if (!found) return 'READY'
  const { id, state } = found.position
  const { realmId } = request.realm
  const now = services.clock.now()
  const { approval } = state
  if (approval === undefined) {
    // A code that is over is shown anew.
    if (state.enrollment && state.enrollment.expiresAt <= now) return 'READY'
    return (await runRead(() => findEnrolledDevice(services.db, realmId, id))) ? 'READY' : 'WAITING'
  }
  const asked = await runRead(() => findApproval(services.db, realmId, approval, now))
  if (asked?.status === 'PENDING') return 'WAITING'
  return asked?.status === 'SCANNED' ? 'SCANNED' : 'READY'
}
