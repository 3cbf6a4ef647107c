import { createHash } from 'node:crypto'
import { foldName } from '../../platform/text/index.ts'

export type AttributeMap = Record<string, string | string[]>

/** What the attribute index holds instead of the value: short, whatever the length of the value. */
export function hashAttribute(name: string, value: string): Buffer {
  return createHash('sha256').update(`${name}\0${value}`).digest().subarray(0, 16)
}

export function attributeHashes(attributes: AttributeMap): Buffer[] {
  const hashes = new Map<string, Buffer>()
  for (const [name, value] of Object.entries(attributes)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      const hash = hashAttribute(name, one)
      hashes.set(hash.toString('hex'), hash)
    }
  }
  return [...hashes.values()]
}

/** The folded first value of an attribute, for the prefix search. Long values are cut: nobody types a prefix of 200 characters. */
export function foldedAttribute(attributes: AttributeMap, name: string): string | null {
  const value = attributes[name]
  const first = Array.isArray(value) ? value[0] : value
  return first === undefined || first === '' ? null : foldName(first).slice(0, 200)
}
