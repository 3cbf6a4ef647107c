// Every page in every state worth looking at. `fill` replaces each text that comes from outside, for the injection sweep.

import { renderAccountStates } from './account-states.ts'
import { renderApprovalStates } from './approval-states.ts'
import { buildBrandedRealm, buildRealm, type Fill, keep } from './looks.ts'
import { renderLoginStates } from './login-states.ts'
import { renderOtherStates } from './other-states.ts'
import { renderRequestStates } from './request-states.ts'
import { renderSelfServiceStates } from './self-service-states.ts'
import { renderActionStates, renderFactorStates } from './step-states.ts'
import { renderTransactionStates } from './transaction-states.ts'

export function renderPageStates(fill: Fill = keep): Record<string, string> {
  const looks = { plain: buildRealm(fill), branded: buildBrandedRealm(fill) }
  return {
    ...renderLoginStates(fill, looks),
    ...renderFactorStates(fill, looks),
    ...renderActionStates(fill, looks),
    ...renderSelfServiceStates(fill, looks),
    ...renderOtherStates(fill, looks),
    ...renderRequestStates(fill, looks),
    ...renderApprovalStates(fill, looks),
    ...renderAccountStates(fill, looks),
    ...renderTransactionStates(fill, looks),
  }
}
