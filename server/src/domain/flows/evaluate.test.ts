import { describe, expect, test } from 'vitest'
import { type Facts, findNext } from './evaluate.ts'
import { createDice, drawFlow, rollFlow } from './flow-notation.fixture.ts'
import type { FlowStep } from './types.ts'

/** Words are authenticators, or types of conditions that hold; `more` is the CONDITIONAL step without one. */
interface Situation {
  passed?: string
  unusable?: string
  holding?: string
}

const table: [gives: string, flow: string, next: string, situation?: Situation][] = [
  ['an empty flow asks for nothing', '', 'DONE'],
  ['the first required step', 'a:R b:R', 'a'],
  ['the second once the first is passed', 'a:R b:R', 'b', { passed: 'a' }],
  ['nothing once all are', 'a:R b:R', 'DONE', { passed: 'a b' }],
  ['order counts', 'a:R b:R', 'a', { passed: 'b' }],
  ['all alternatives', 'a:A b:A', 'a b'],
  ['one alternative is enough', 'a:A b:A', 'DONE', { passed: 'b' }],
  ['no alternative beside a required step', 'a:A b:R', 'b'],
  ['a passed alternative does not stand for a required step', 'a:A b:R', 'b', { passed: 'a' }],
  ['nothing of what is disabled', 'a:D b:R', 'b'],
  ['nothing when all is disabled', 'a:D', 'DONE'],
  ['nothing inside a disabled group', '(a:R):D b:R', 'b'],
  ['a conditional step when more is wanted', 'a:C', 'a', { holding: 'more' }],
  ['no conditional step when it is not', 'a:C b:R', 'b'],
  ['the alternatives once no conditional step counts', 'a:C b:A c:A', 'b c'],
  ['no alternative while a conditional step counts', 'a:C@staff b:A', 'a', { holding: 'condition-role' }],
  ['a required step whose condition holds', 'a:R@staff', 'a', { holding: 'condition-role' }],
  ['no required step whose condition does not', 'a:R@staff b:R', 'b'],
  ['no alternative whose condition does not hold', 'a:A@staff b:A', 'b'],
  ['no way past a required step nobody can take', 'a:R', 'STUCK', { unusable: 'a' }],
  ['only usable alternatives', 'a:A b:A', 'b', { unusable: 'a' }],
  ['no way when no alternative is usable', 'a:A b:A', 'STUCK', { unusable: 'a b' }],
  ['alternatives of every open group, in the order of the flow', 'a:A ((b:A c:A):R):A', 'a b c'],
  ['the rest of a way that was begun, and no other way', 'a:A (b:R c:R):A', 'c', { passed: 'b' }],
  ['another way when the one begun cannot be gone', 'a:A (b:R c:R):A', 'a', { passed: 'b', unusable: 'c' }],
  ['the step after a group of which one is passed', '(a:A b:A):R c:R', 'c', { passed: 'b' }],
  ['a step five levels down', '((((a:R):R):R):R):R', 'a'],
  ['no way past a required group nobody can pass', '(a:A):R b:R', 'STUCK', { unusable: 'a' }],
  ['nothing where one alternative asks for nothing', 'a:A (b:R@staff):A', 'DONE'],
]

const words = (text = '') => text.split(' ').filter(Boolean)

const factsOf = ({ unusable, holding }: Situation): Facts => ({
  holds: (condition) => words(holding).includes(condition?.type ?? 'more'),
  usable: ({ authenticator }) => !words(unusable).includes(authenticator!),
})

const listSteps = (steps: FlowStep[]): FlowStep[] => steps.flatMap((one) => [one, ...listSteps(one.steps)])

describe('findNext gives', () => {
  test.each(table)('%s', (_gives, flow, expected, situation = {}) => {
    const steps = drawFlow(flow)
    const passed = listSteps(steps).filter(({ authenticator }) => words(situation.passed).includes(authenticator!))
    const next = findNext(steps, new Set(passed.map(({ id }) => id)), factsOf(situation))
    const shown = next.kind === 'STEPS' ? next.steps.map(({ authenticator }) => authenticator).join(' ') : next.kind
    expect(shown).toBe(expected)
  })
})

const letters = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
const conditionNames = ['staff', 'office', 'trusted']

/** Steps of the first level that no condition excuses. */
function listDemanded(steps: FlowStep[]): FlowStep[] {
  return steps.filter((one) => one.requirement === 'REQUIRED' && one.condition === null && one.authenticator !== null)
}

describe('a flow of any shape', () => {
  test('ends within the number of its steps when what is offered is passed, and never without a demanded step', () => {
    const ends = { DONE: 0, STUCK: 0 }
    for (let seed = 1; seed <= 2000; seed += 1) {
      const dice = createDice(seed)
      const steps = rollFlow(dice, letters, conditionNames)
      const all = listSteps(steps)
      const choose = (from: string[]) => from.filter(() => dice(3) === 0).join(' ')
      const types = ['condition-role', 'condition-ip', 'condition-device', 'more']
      const situation = { unusable: choose(letters), holding: choose(types) }
      const facts = factsOf(situation)
      const passed = new Set<string>()
      let next = findNext(steps, passed, facts)
      for (let turn = 0; next.kind === 'STEPS'; turn += 1) {
        expect(turn, `seed ${seed}`).toBeLessThan(all.length)
        for (const offered of next.steps) {
          expect(passed.has(offered.id), `seed ${seed} asks twice`).toBe(false)
          expect(offered.requirement).not.toBe('DISABLED')
          expect(words(situation.unusable)).not.toContain(offered.authenticator)
        }
        passed.add(next.steps[dice(next.steps.length)]!.id)
        next = findNext(steps, passed, facts)
      }
      ends[next.kind] += 1
      const demanded = next.kind === 'DONE' ? listDemanded(steps) : []
      expect(
        demanded.filter(({ id }) => !passed.has(id)),
        `seed ${seed}`,
      ).toEqual([])
    }
    expect(Math.min(ends.DONE, ends.STUCK)).toBeGreaterThan(100)
  })

  test('does not move by steps that belong to another flow', () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const dice = createDice(seed)
      const steps = rollFlow(dice, letters, conditionNames)
      const facts = factsOf({ holding: 'more' })
      const foreign = new Set(listSteps(rollFlow(dice, letters, conditionNames)).map(({ id }) => id))
      expect(findNext(steps, foreign, facts)).toEqual(findNext(steps, new Set(), facts))
    }
  })
})
