// The flows every realm has without a row of its own (contract 1.6, 2.103).
import { derivedId } from '../../platform/ids/index.ts'
import { configSchemaOf } from './config.ts'
import type { FlowStep, FlowType, Requirement } from './types.ts'

/** Drawn without ids: those follow from the realm and the place in the flow. */
type Drawn = [authenticator: string, requirement: Requirement] | [requirement: Requirement, steps: Drawn[]]

interface BuiltInFlow {
  alias: string
  type: FlowType
  displayName: string
  description: string
  steps: Drawn[]
}

const alternatives = (...ids: string[]): Drawn[] => ids.map((id) => [id, 'ALTERNATIVE'])

/** The strongest and quickest first; who has none of them is not asked. */
const secondFactors = ['webauthn', 'push', 'device-key', 'totp', 'otp-email', 'otp-sms', 'recovery-code']

/** In the order of the contract. */
export const builtInFlows: readonly BuiltInFlow[] = [
  {
    alias: 'browser',
    type: 'BROWSER',
    displayName: 'Browser sign-in',
    description: 'A session that is there already, or a first factor and then a second one where it is asked for.',
    steps: [
      ['cookie', 'ALTERNATIVE'],
      ['identity-provider', 'DISABLED'],
      [
        'ALTERNATIVE',
        [
          ['REQUIRED', [...alternatives('username-password', 'passkey'), ['magic-link', 'DISABLED']]],
          ['CONDITIONAL', alternatives(...secondFactors)],
        ],
      ],
    ],
  },
  {
    alias: 'registration',
    type: 'REGISTRATION',
    displayName: 'Registration',
    description: 'The form of a new account.',
    steps: [
      ['captcha', 'DISABLED'],
      ['username-password', 'REQUIRED'],
      ['terms', 'DISABLED'],
    ],
  },
  {
    alias: 'reset-credentials',
    type: 'RESET_CREDENTIALS',
    displayName: 'Forgotten password',
    description: 'A link by e-mail, then a second factor where the person has one.',
    steps: [
      ['username', 'REQUIRED'],
      ['magic-link', 'REQUIRED'],
      ['CONDITIONAL', alternatives(...secondFactors.filter((id) => id !== 'otp-email'))],
    ],
  },
  {
    alias: 'first-broker-login',
    type: 'FIRST_BROKER_LOGIN',
    displayName: 'First sign-in through an identity provider',
    description: 'How somebody whose account exists already proves that it is theirs before it is linked.',
    steps: alternatives('username-password', 'passkey'),
  },
  {
    alias: 'direct-grant',
    type: 'DIRECT_GRANT',
    displayName: 'Direct grant',
    description: 'Username and password sent by an application, with a code where a second factor is asked for.',
    steps: [
      ['username-password', 'REQUIRED'],
      ['totp', 'CONDITIONAL'],
    ],
  },
  {
    alias: 'step-up',
    type: 'STEP_UP',
    displayName: 'Step-up',
    description: 'A second factor of somebody who is signed in, when an application asks for more.',
    steps: [['REQUIRED', alternatives(...secondFactors)]],
  },
]

const byAlias = new Map(builtInFlows.map((flow) => [flow.alias, flow]))
const byType = new Map(builtInFlows.map((flow) => [flow.type, flow]))

export const builtInAliases: readonly string[] = [...byAlias.keys()]

export function findBuiltIn(alias: string): BuiltInFlow | null {
  return byAlias.get(alias) ?? null
}

/** The flow that is in use for a type as long as the realm binds no other. */
export function builtInOf(type: FlowType): BuiltInFlow {
  return byType.get(type)!
}

/** The id of the row once it is edited, and the cursor of lists before. */
export function builtInId(realmId: string, alias: string): string {
  return derivedId(realmId, `flow:${alias}`)
}

export function buildSteps(realmId: string, flow: BuiltInFlow): FlowStep[] {
  return build(flow.steps, `flow:${flow.alias}`, realmId)
}

function build(drawn: Drawn[], place: string, realmId: string): FlowStep[] {
  return drawn.map((entry, at): FlowStep => {
    const here = `${place}:${at}`
    const shared = { id: derivedId(realmId, here), condition: null }
    if (isGroup(entry)) {
      return {
        ...shared,
        authenticator: null,
        requirement: entry[0],
        config: {},
        steps: build(entry[1], here, realmId),
      }
    }
    const [authenticator, requirement] = entry
    return { ...shared, authenticator, requirement, config: configSchemaOf(authenticator).parse({}), steps: [] }
  })
}

function isGroup(entry: Drawn): entry is [Requirement, Drawn[]] {
  return Array.isArray(entry[1])
}
