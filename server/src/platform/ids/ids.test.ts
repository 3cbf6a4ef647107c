import { expect, it } from 'vitest'
import { derivedId, firstIdAt, idTime, isUuid, newId } from './index.ts'

it('makes ids that sort in the order they were made, even within one millisecond', () => {
  const ids = Array.from({ length: 10_000 }, () => newId())
  expect(ids).toEqual([...ids].sort())
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.every(isUuid)).toBe(true)
})

it('tells the time an id was made, and the lowest id of a time', () => {
  const id = newId(Date.now() + 60_000)
  expect(firstIdAt(idTime(id)) <= id).toBe(true)
  expect(firstIdAt(idTime(id) + 1) > id).toBe(true)
})

it('derives the same id for the same realm and key, and another one for any other', () => {
  expect(derivedId('a', 'x')).toBe(derivedId('a', 'x'))
  expect(derivedId('a', 'x')).not.toBe(derivedId('b', 'x'))
  expect(derivedId('a', 'x')[14]).toBe('8')
})
