// The one sign-in: a state machine on the server that every protocol's sign-in runs through.
// Architecture 4, specification part 5, contract 4.2-4.5; S37, S39, S40, S42.
// Called by protocols/login; ends in a realm session and the continuation it began with.
import type { Contribution } from '../context/index.ts'
import { sendLinkJob, sendResetJob } from './link-mails.ts'
import { deleteExpiredSignIns, deleteSignInsOf } from './store.ts'

export { openArrival, openContinuation, sealArrival, sealContinuation } from './continuation.ts'
export { addressLimit, addressOf } from './address-limit.ts'
export { type Confirmation, prepareConfirmation, type ShownProof } from './confirm.ts'
export { credentialOf } from './demand.ts'
export {
  beginFromLink,
  beginOwnAction,
  beginStepUp,
  findContinuation,
  type LinkPurpose,
} from './entries.ts'
export { findNamedPerson } from './find-person.ts'
export { firstPage } from './first-page.ts'
export { resetPlace, type ResetRequest, sendResetJob } from './link-mails.ts'
export { advanceSignIn, type SignInRequest, type SignInResult } from './machine.ts'
export { type PasswordProof, provePassword } from './prove-password.ts'
export type { PasskeyPrompt, ProfileField, StepError, StepPage } from './pages.ts'
export { markEmailVerified } from './actions-store.ts'
export type { Arrival, Continuation } from './types.ts'
export type { ActionName } from './steps/index.ts'
export { readWaitState, type WaitState } from './waiting.ts'

export const signInContribution: Contribution = {
  traces: [{ tables: ['sign_ins'], eraseFor: ({ tx, realmId }, ...person) => deleteSignInsOf(tx, realmId, ...person) }],
  jobs: [
    sendLinkJob,
    sendResetJob,
    {
      name: 'sign-ins.forget',
      schedule: '*/10 * * * *',
      handle: (services) => deleteExpiredSignIns(services.db, services.clock.now()),
    },
  ],
}
