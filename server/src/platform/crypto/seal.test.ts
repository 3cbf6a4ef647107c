import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { createSealer } from './index.ts'

const key = (id: string) => ({ id, key: randomBytes(32) })
const place = 'realm_keys:acme:1:private_key'

it('S51 opens what it sealed, in its own place only', () => {
  const sealer = createSealer([key('k1')])
  const sealed = sealer.seal('secret', place)
  expect(sealer.open(sealed, place).toString()).toBe('secret')
  expect(() => sealer.open(sealed, 'realm_keys:other:1:private_key')).toThrow()
  expect(sealed.includes('secret')).toBe(false)
})

it('S51 refuses a value with any bit changed', () => {
  const sealer = createSealer([key('k1')])
  const sealed = sealer.seal('secret', place)
  for (let at = 0; at < sealed.length; at++) {
    const broken = Buffer.from(sealed)
    broken[at]! ^= 1
    expect(() => sealer.open(broken, place)).toThrow()
  }
})

it('opens values of an older key after a rotation and calls them stale', () => {
  const older = key('k1')
  const sealed = createSealer([older]).seal('secret', place)
  const rotated = createSealer([key('k2'), older])
  expect(rotated.open(sealed, place).toString()).toBe('secret')
  expect(rotated.isStale(sealed)).toBe(true)
  expect(rotated.isStale(rotated.seal('x', place))).toBe(false)
  expect(() => createSealer([key('k3')]).open(sealed, place)).toThrow(/k1 is not in the key ring/)
})
