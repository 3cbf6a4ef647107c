// Self-registration: an account comes into being when its address is proved, not before.
// Contract 2.64 (`registrationAllowed`), 4.5b, 7.6; S13 (nobody can occupy another's address), S41, S42.
// Called by protocols/register.
import type { Contribution } from '../../context/index.ts'
import { sendRegistrationJob } from './mail.ts'

export { completeRegistration, requestRegistration, type Registered, type Registration } from './service.ts'
export const registrationContribution: Contribution = { jobs: [sendRegistrationJob] }
