// The Dutch catalogue: every word the pages say.
// Contract 2.64 (`supportedLocales`); the pages' part of specification part 2.
// Called by messages/index.ts.

import { account } from './account.ts'
import { accountPlaces } from './account-places.ts'
import { approvals } from './approvals.ts'
import { deviceApprovals } from './device-approvals.ts'
import { devices } from './devices.ts'
import { impersonation } from './impersonation.ts'
import { selfService } from './self-service.ts'
import { shared } from './shared.ts'
import { signIn } from './sign-in.ts'
import { transactions } from './transactions.ts'

export const nl = {
  ...shared,
  ...signIn,
  ...selfService,
  ...approvals,
  ...deviceApprovals,
  ...devices,
  ...account,
  ...accountPlaces,
  ...transactions,
  ...impersonation,
}
