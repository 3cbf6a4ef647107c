import type { Origin, Services } from '../context/index.ts'
import { findNext, flowsSection } from '../flows/index.ts'
import { settingsSection } from '../settings/index.ts'
import type { RealmSnapshot } from '../snapshot/index.ts'
import { toFacts } from './facts.ts'
import type { StepError, StepPage } from './pages.ts'
import { newState } from './position.ts'
import { loginPage } from './steps/login-page.ts'
import type { Continuation } from './types.ts'

/** What somebody sees who comes to sign in: the first steps of the realm's flow. Nothing is kept for it. */
export async function firstPage(
  services: Services,
  realm: RealmSnapshot,
  about: {
    origin: Origin
    browserSecret: string
    continuation: Continuation
    username: string
    error: StepError | null
  },
): Promise<StepPage> {
  const [settings, flows] = await Promise.all([realm.section(settingsSection), realm.section(flowsSection)])
  const { origin, continuation, browserSecret, username, error } = about
  const state = newState('BROWSER')
  const around = { services, realm, settings, origin, continuation }
  const next = findNext(flows.BROWSER.steps, new Set(), toFacts(around, state, { person: null, roles: new Set() }))
  if (next.kind !== 'STEPS') return { page: 'DENIED', username: '' }
  const [flowStep, ...others] = next.steps
  const work = {
    ...around,
    signInId: '',
    browserSecret,
    state,
    input: {},
    flowStep: flowStep!,
    clientId: null,
    user: null,
  }
  return loginPage({ ...work, others: others.map((step) => step.authenticator!) }, error, username)
}
