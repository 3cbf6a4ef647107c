// Reads variables one by one and gathers every fault, so that an operator repairs the whole environment in one go.
import { closeSync, openSync, readSync } from 'node:fs'
import { findClosestName } from './closest-name.ts'
import { configVariables } from './variables.ts'

export type Env = Record<string, string | undefined>

const known = new Map(configVariables.map((variable) => [variable.name, variable]))

// A secret file is a line or two; anything larger is the wrong file, and reading /dev/zero must not hang the start.
const maxFileBytes = 64 * 1024

export interface SettingsReader {
  faults: string[]
  fault(name: string, problem: string, remedy: string): void
  text(name: string): string | null
  choice<T extends string>(name: string, choices: readonly T[], fallback: T): T
  flag(name: string, fallback: boolean): boolean
  integer<T extends number | null>(name: string, range: { min: number; max: number; fallback: T }): number | T
  url(name: string, schemes: readonly string[]): URL | null
  list(name: string): string[]
}

export function createSettingsReader(env: Env): SettingsReader {
  const faults: string[] = []
  const values = collectValues(env, faults)
  const text = (name: string): string | null => values.get(name) ?? null
  const fault = (name: string, problem: string, remedy: string): void => {
    const value = text(name)
    const shown = value === null || known.get(name)?.secret ? '' : ` (is ${JSON.stringify(value.slice(0, 100))})`
    faults.push(`${name} ${problem}${shown}: ${remedy}`)
  }

  return {
    faults,
    fault,
    text,
    choice(name, choices, fallback) {
      const value = text(name)
      if (value === null) return fallback
      const found = choices.find((choice) => choice === value)
      if (found === undefined) fault(name, 'is not a value we know', `use one of ${choices.join(', ')}`)
      return found ?? fallback
    },
    flag(name, fallback) {
      const value = text(name)
      if (value === null) return fallback
      if (value !== 'true' && value !== 'false') fault(name, 'is neither true nor false', 'use true or false')
      return value === 'true'
    },
    integer(name, { min, max, fallback }) {
      const value = text(name)
      if (value === null) return fallback
      const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
      if (number >= min && number <= max) return number
      fault(name, 'is not a whole number in range', `use a number from ${min} to ${max}`)
      return fallback
    },
    url(name, schemes) {
      const value = text(name)
      if (value === null) return null
      const url = URL.canParse(value) ? new URL(value) : null
      if (url !== null && url.hostname !== '' && schemes.includes(url.protocol)) return url
      fault(name, 'is not a URL we can use', `use ${schemes.map((scheme) => `${scheme}//host…`).join(' or ')}`)
      return null
    },
    list(name) {
      const parts = (text(name) ?? '').split(',').map((part) => part.trim())
      return parts.filter((part) => part !== '')
    },
  }
}

// An empty value counts as unset, because compose files and charts pass `NAME=` for what the operator left out.
function collectValues(env: Env, faults: string[]): Map<string, string> {
  const values = new Map<string, string>()
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith('GATEHOUSE_') || value === undefined) continue
    const fromFile = !known.has(name) && name.endsWith('_FILE')
    const target = fromFile ? name.slice(0, -'_FILE'.length) : name
    if (!known.has(target)) {
      faults.push(describeUnknown(name, target))
      continue
    }
    if (value.trim() === '') continue
    if (fromFile && env[target]?.trim()) {
      faults.push(`${target} and ${name} are both set: remove one of them`)
      continue
    }
    const found = fromFile ? readValueFile(name, value.trim(), faults) : value.trim()
    if (found !== null) values.set(target, found)
  }
  return values
}

function describeUnknown(name: string, target: string): string {
  const closest = findClosestName(target, [...known.keys()])
  const suffix = target === name ? '' : '_FILE'
  const remedy = closest === null ? 'remove it, or check its spelling' : `did you mean ${closest}${suffix}?`
  return `${name} is not a variable of this service: ${remedy}`
}

function readValueFile(name: string, path: string, faults: string[]): string | null {
  try {
    const content = readStart(path)
    const value = content.toString('utf8').trim()
    if (content.length > maxFileBytes)
      faults.push(`${name} names a file over 64 KiB: name the file with the value only`)
    else if (value === '') faults.push(`${name} names an empty file (${path}): write the value into it`)
    else return value
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown fault'
    faults.push(`${name} names a file that cannot be read (${path}, ${code}): create it and let this user read it`)
  }
  return null
}

function readStart(path: string): Buffer {
  const file = openSync(path, 'r')
  try {
    const buffer = Buffer.alloc(maxFileBytes + 1)
    let length = 0
    for (let read = 1; read > 0 && length < buffer.length; length += read) {
      read = readSync(file, buffer, length, buffer.length - length, null)
    }
    return buffer.subarray(0, length)
  } finally {
    closeSync(file)
  }
}
