// Key-encryption keys: parsed from the environment, or made once in a private file for development.
import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MasterKey } from './config.ts'

// AES-256 takes exactly this many bytes.
const keyBytes = 32
// Rotation keeps a few old keys; every key more is one more try on a damaged record.
const maxKeys = 16

export class MasterKeyFault extends Error {
  readonly remedy: string

  constructor(problem: string, remedy: string) {
    super(problem)
    this.remedy = remedy
  }
}

const format = 'use id:base64 of 32 random bytes, for instance k1:$(openssl rand -base64 32)'

export function parseMasterKeys(text: string): MasterKey[] {
  const parts = text.split(',').map((part) => part.trim())
  if (parts.length > maxKeys) throw new MasterKeyFault('holds too many keys', `keep at most ${maxKeys}`)
  const keys = parts.map(parseMasterKey)
  const ids = new Set(keys.map((entry) => entry.id))
  if (ids.size !== keys.length) throw new MasterKeyFault('uses one key id twice', 'give every key its own id')
  return keys
}

function parseMasterKey(part: string): MasterKey {
  const [, id, encoded] = /^([A-Za-z0-9_.-]{1,32}):([A-Za-z0-9+/_-]+={0,2})$/.exec(part) ?? []
  if (id === undefined || encoded === undefined) throw new MasterKeyFault('is not a list of id:key', format)
  const key = Buffer.from(encoded, 'base64')
  if (key.length !== keyBytes) throw new MasterKeyFault(`has a key of ${key.length} bytes under id ${id}`, format)
  // A repeated byte is a placeholder somebody forgot to replace.
  if (key.every((byte) => byte === key[0])) throw new MasterKeyFault(`has a placeholder under id ${id}`, format)
  return { id, key }
}

// Several processes may start at once: each writes a private draft, and linking it into place succeeds for exactly one.
// A reader therefore never meets a half-written file, which a plain O_EXCL open would allow.
export function loadOrCreateMasterKeys(directory: string): MasterKey[] {
  const folder = join(directory, '.gatehouse')
  const path = join(folder, 'master-keys')
  const existing = readPrivateFile(path)
  if (existing !== null) return parseMasterKeys(existing)

  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const draft = join(folder, `master-keys.${process.pid}.${randomBytes(6).toString('hex')}`)
  writeFileSync(draft, `k1:${randomBytes(keyBytes).toString('base64')}\n`, { flag: 'wx', mode: 0o600 })
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return parseMasterKeys(readPrivateFile(path) ?? '')
}

function readPrivateFile(path: string): string | null {
  try {
    if ((statSync(path).mode & 0o077) !== 0) {
      throw new MasterKeyFault(`file ${path} can be read by others`, `run chmod 600 ${path}`)
    }
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
