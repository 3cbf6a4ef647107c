import { expect } from 'vitest'
import type { Answer } from '../harness/index.ts'

/** An error in the shape of contract 7.1, with this status and code, and nothing of the inside in it. */
export function expectProblem(answer: Answer, status: number, code: string): void {
  expect([answer.status, answer.body?.code], answer.text).toEqual([status, code])
  expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8')
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.body).toMatchObject({
    type: expect.stringMatching(new RegExp(`/errors/${code}$`)),
    title: expect.any(String),
    status,
    detail: expect.any(String),
    instance: expect.stringMatching(/^\//),
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
  })
  if (status === 400) expect(answer.body.errors).toBeInstanceOf(Array)
}

/** The names of the members or parameters that a refusal complains about. */
export const fieldsOf = (answer: Answer): string[] =>
  ((answer.body?.errors ?? []) as { field: string }[]).map(({ field }) => field)

/** What two refusals may differ in: where and when they were given. */
export function withoutOccasion(answer: Answer): unknown {
  const { instance: _instance, traceId: _traceId, ...rest } = answer.body
  return { status: answer.status, type: answer.headers['content-type'], ...rest }
}
