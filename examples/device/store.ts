// Where the simulator keeps its key: one file in one directory, for nobody else to read.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Enrolled } from './signing.ts'

export interface Stored extends Enrolled {
  deviceName: string
  pushToken: string | null
}

const fileIn = (directory: string) => join(directory, 'device.json')

export function isEnrolled(directory: string): boolean {
  return existsSync(fileIn(directory))
}

export function load(directory: string): Stored {
  if (!isEnrolled(directory)) throw new Error(`There is no device in ${directory} yet: run enroll first.`)
  return JSON.parse(readFileSync(fileIn(directory), 'utf8')) as Stored
}

export function save(directory: string, device: Stored): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  // Never over another device: whoever had that key would be locked out with it.
  writeFileSync(fileIn(directory), `${JSON.stringify(device, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
}
