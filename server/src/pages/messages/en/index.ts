// The English catalogue: every word the pages say.
// Contract 2.64 (`supportedLocales`); the pages' part of specification part 2.
// Called by messages/index.ts.

import { approvals } from './approvals.ts'
import { selfService } from './self-service.ts'
import { shared } from './shared.ts'
import { signIn } from './sign-in.ts'

export const en = { ...shared, ...signIn, ...selfService, ...approvals }
