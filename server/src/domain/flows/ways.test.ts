// The judgement about a flow follows all its ways at once. Here each way is walked by itself, as a sign-in walks it.
import { expect, test } from 'vitest'
import { combineAnswers, holdsIn } from './conditions.ts'
import { findNext } from './evaluate.ts'
import { createDice, drawFlow, rollFlow } from './flow-notation.fixture.ts'
import { type Administrator, findLockouts, findUnprovenWay, listPaths } from './safety.ts'
import type { FlowStep } from './types.ts'

const ingredients = ['cookie', 'username', 'password', 'username-password', 'passkey', 'totp', 'allow', 'deny', 'terms']
const conditionNames = ['staff', 'not-staff', 'not-trusted', 'trusted']
const proving = new Set(['cookie', 'password', 'username-password', 'passkey'])
const naming = new Set(['username', 'username-password', 'passkey'])
const flows = 1500

type Holds = (step: FlowStep) => boolean
type Usable = (authenticator: string, way: FlowStep[]) => boolean

/** The authenticators of every way that ends. */
function exploreAll(steps: FlowStep[], holds: Holds, usable: Usable): string[][] {
  const ends: string[][] = []
  const seen = new Set<string>()
  const explore = (way: FlowStep[]): void => {
    const passed = new Set(way.map(({ id }) => id))
    const key = [...passed].toSorted((one, other) => (one < other ? -1 : 1)).join()
    if (seen.has(key)) return
    seen.add(key)
    const facts = {
      holds: (_: unknown, step: FlowStep) => holds(step),
      usable: (step: FlowStep) => usable(step.authenticator!, way),
    }
    const next = findNext(steps, passed, facts)
    if (next.kind === 'DONE') ends.push(way.map(({ authenticator }) => authenticator!))
    if (next.kind === 'STEPS') for (const step of next.steps) explore([...way, step])
  }
  explore([])
  return ends
}

const roll = (seed: number) => rollFlow(createDice(seed), ingredients, conditionNames)

test('a flow is called unproved exactly when some way through it proves nothing', () => {
  const counts = { proved: 0, unproved: 0 }
  for (let seed = 1; seed <= flows; seed += 1) {
    const steps = roll(seed)
    const found = [...combineAnswers(steps, () => [true, false])].some((answers) => {
      const ends = exploreAll(
        steps,
        (step) => holdsIn(answers, step),
        (id) => id !== 'deny',
      )
      return ends.some((way) => !way.some((id) => proving.has(id)))
    })
    expect(findUnprovenWay('BROWSER', steps) !== null, `seed ${seed}`).toBe(found)
    counts[found ? 'unproved' : 'proved'] += 1
  }
  expect(Math.min(counts.proved, counts.unproved)).toBeGreaterThan(50)
})

test('an administrator who is said to get through has a way whatever the conditions say', () => {
  const able = new Set(['password', 'username-password', 'totp'])
  const administrator: Administrator = { able, hasSecondFactor: true, roles: new Set(['admin']) }
  const canPass: Usable = (id, way) => {
    if (id === 'password' || id === 'totp') return way.some((step) => naming.has(step.authenticator!))
    return able.has(id) || ['username', 'allow', 'terms'].includes(id)
  }
  const counts = { through: 0, stuck: 0 }
  for (let seed = 1; seed <= flows; seed += 1) {
    const steps = roll(seed)
    const through = findLockouts(steps, [administrator]).length === 0
    counts[through ? 'through' : 'stuck'] += 1
    if (!through) continue
    const answersFor = (type: string | undefined) => (type === 'condition-role' ? [false] : [true, false])
    for (const answers of combineAnswers(steps, ({ condition }) => answersFor(condition?.type))) {
      const ends = exploreAll(steps, (step) => holdsIn(answers, step), canPass)
      expect(ends, `seed ${seed}`).not.toEqual([])
    }
  }
  expect(Math.min(counts.through, counts.stuck)).toBeGreaterThan(50)
})

test('every step of a flow has a path', () => {
  const steps = drawFlow('cookie:A (username:R (password:R):R):A')
  expect([...listPaths(steps).values()]).toEqual([
    ...['steps[0]', 'steps[1]', 'steps[1].steps[0]', 'steps[1].steps[1]', 'steps[1].steps[1].steps[0]'],
  ])
})
