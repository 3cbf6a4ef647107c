// Which conditions of a flow are the same question, and every way they can be answered together.
import type { FlowCondition, FlowStep } from './types.ts'

/** A question a flow asks. Two steps with the same `key` always get the same answer, or opposite ones. */
export interface Question {
  key: string
  negated: boolean
  /** Null: whether the policy or the application wants a second factor. */
  condition: FlowCondition | null
  step: FlowStep
}

/** The one question of a step; null when it is looked at in any case. */
export function questionOf(step: FlowStep): Question | null {
  const { condition, requirement } = step
  if (requirement === 'DISABLED' || (condition === null && requirement !== 'CONDITIONAL')) return null
  // Whether more is wanted depends on the step: one group may have something to offer to the person, another not.
  if (condition === null) return { key: `more:${step.id}`, negated: false, condition, step }
  const { negate, trusted, ...config } = condition.config
  const lists = Object.entries(config).map(([name, value]) => [name, Array.isArray(value) ? sortTexts(value) : value])
  return {
    key: JSON.stringify([condition.type, lists]),
    negated: negate === true || trusted === false,
    condition,
    step,
  }
}

function sortTexts(list: unknown[]): string[] {
  return list.map(String).toSorted((one, other) => (one < other ? -1 : 1))
}

/** Every question of the flow; steps inside a disabled group are not asked about. */
export function listQuestions(steps: FlowStep[]): Question[] {
  return steps.flatMap((step) => {
    if (step.requirement === 'DISABLED') return []
    const own = questionOf(step)
    return [...(own ? [own] : []), ...listQuestions(step.steps)]
  })
}

export function countQuestions(steps: FlowStep[]): number {
  return new Set(listQuestions(steps).map(({ key }) => key)).size
}

/** Whether the condition of a step holds; the answers belong to keys. */
export type Answers = ReadonlyMap<string, boolean>

export function holdsIn(answers: Answers, step: FlowStep): boolean {
  const question = questionOf(step)
  return question === null || answers.get(question.key) !== question.negated
}

/**
 * All combinations of answers. `answersFor` says how a question (not negated) can be answered: often both ways, because nobody
 * knows from where a person will sign in. The schema keeps the number of different questions small.
 */
export function* combineAnswers(
  steps: FlowStep[],
  answersFor: (question: Question) => readonly boolean[],
): Generator<Answers> {
  const questions = [...new Map(listQuestions(steps).map((question) => [question.key, question])).values()]
  const choices = questions.map((question) => ({ key: question.key, answers: answersFor(question) }))
  const total = choices.reduce((product, { answers }) => product * answers.length, 1)
  for (let at = 0; at < total; at += 1) {
    const combination = new Map<string, boolean>()
    let rest = at
    for (const { key, answers } of choices) {
      combination.set(key, answers[rest % answers.length]!)
      rest = Math.floor(rest / answers.length)
    }
    yield combination
  }
}
