// Flows on one line for tests: `cookie:A (username-password:R totp:C@level2):A`.
// A step is an authenticator or a group in parentheses, then its requirement by the first letter, then its condition by name.
import type { FlowCondition, FlowStep } from './types.ts'

const requirements = { R: 'REQUIRED', A: 'ALTERNATIVE', C: 'CONDITIONAL', D: 'DISABLED' } as const

const office = ['192.0.2.0/24']
const everywhere = ['0.0.0.0/0', '::/0']

export const conditions: Record<string, FlowCondition> = {
  admin: { type: 'condition-role', config: { roles: ['admin'], negate: false } },
  'not-admin': { type: 'condition-role', config: { roles: ['admin'], negate: true } },
  staff: { type: 'condition-role', config: { roles: ['staff'], negate: false } },
  'not-staff': { type: 'condition-role', config: { roles: ['staff'], negate: true } },
  member: { type: 'condition-group', config: { groups: ['members'], negate: false } },
  shop: { type: 'condition-client', config: { clientIds: ['shop'], negate: false } },
  level2: { type: 'condition-acr', config: { minimum: 'urn:gatehouse:acr:2' } },
  office: { type: 'condition-ip', config: { cidrs: office, negate: false } },
  outside: { type: 'condition-ip', config: { cidrs: office, negate: true } },
  nowhere: { type: 'condition-ip', config: { cidrs: everywhere, negate: true } },
  'not-ipv4': { type: 'condition-ip', config: { cidrs: ['0.0.0.0/0'], negate: true } },
  trusted: { type: 'condition-device', config: { trusted: true } },
  'not-trusted': { type: 'condition-device', config: { trusted: false } },
}

let made = 0

export function drawFlow(text: string): FlowStep[] {
  const tokens = text.match(/\(|\)?:[RACD](?:@[\w-]+)?|[\w-]+/g) ?? []
  let at = 0
  const readLevel = (): FlowStep[] => {
    const steps: FlowStep[] = []
    while (at < tokens.length && !tokens[at]!.startsWith('):')) {
      const token = tokens[at]!
      at += 1
      const inner = token === '(' ? readLevel() : []
      const [letter, name] = tokens[at]!.replace(/^\)?:/, '').split('@') as [keyof typeof requirements, string?]
      at += 1
      steps.push({
        id: `step-${(made += 1)}`,
        authenticator: token === '(' ? null : token,
        requirement: requirements[letter],
        condition: name === undefined ? null : conditions[name]!,
        config: {},
        steps: inner,
      })
    }
    return steps
  }
  return readLevel()
}

/** Dice that fall the same way in every run. */
export function createDice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

/** A flow nobody would draw, of these authenticators and conditions, at most four levels deep. */
export function rollFlow(dice: (sides: number) => number, authenticators: string[], names: string[]): FlowStep[] {
  const roll = (depth: number): string =>
    Array.from({ length: 1 + dice(3) }, () => {
      const what = depth < 4 && dice(3) === 0 ? `(${roll(depth + 1)})` : authenticators[dice(authenticators.length)]!
      const condition = dice(3) === 0 ? `@${names[dice(names.length)]}` : ''
      return `${what}:${'RAACDR'[dice(6)]}${condition}`
    }).join(' ')
  return drawFlow(roll(1))
}
