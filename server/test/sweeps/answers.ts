import { expect } from 'vitest'
import type { z } from 'zod'
import type { Answer } from '../harness/index.ts'
import { sweptRoutes } from './route-table.ts'
import type { Stage } from './stage.ts'

/** Unknown members, missing members and wrong types all show as a difference or an error; null stands for no body. */
export function expectExactly(schema: z.ZodType | null | undefined, answer: Answer): void {
  if (!schema) {
    expect(answer.text).toBe('')
    return
  }
  if (answer.headers['content-type'] === 'application/x-ndjson') {
    for (const line of answer.text.trimEnd().split('\n'))
      expect(schema.parse(JSON.parse(line))).toEqual(JSON.parse(line))
    return
  }
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(schema.parse(answer.body)).toEqual(answer.body)
}

const pattern = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)

/** The new object can be read where Location says, or at least changed there where nothing reads it alone. */
export async function expectLocation(stage: Stage, answer: Answer): Promise<void> {
  const location = String(answer.headers.location)
  const there = sweptRoutes.filter(({ path }) => pattern(path).test(location))
  expect(there, `no route serves ${location}`).not.toEqual([])
  if (there.some(({ isWrite }) => !isWrite)) expect((await stage.admin.get(location)).status).toBe(200)
}

/** A detail is JSON of the changed members (contract 2.89), or nothing. */
export function expectJsonOrNothing(detail: string | null): void {
  expect(detail === null ? {} : JSON.parse(detail)).toBeTypeOf('object')
}

/** A read is neither an event nor counted. */
export function expectNoTrace(events: unknown[], grown: Record<string, number>): void {
  expect([events, grown]).toEqual([[], {}])
}

/** Exactly these events, in this order. */
export function expectTypes(events: { type: string }[], types: string[]): void {
  expect(events.map(({ type }) => type)).toEqual(types)
}

/** Two fingerprints of the same realms. */
export function expectSame(before: string[], after: string[]): void {
  expect(after).toEqual(before)
}
