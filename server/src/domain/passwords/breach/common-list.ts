import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'

// The folder is equally deep in src and in dist, so one path serves both.
const listUrl = new URL('../../../../data/common-passwords.bin', import.meta.url)

// The format is described in data/README.md and written by scripts/pack-breach-list.mjs.
const headerBytes = 12
const bucketCount = 65_536
const indexBytes = (bucketCount + 1) * 4
const remainderBytes = 4

let loading: Promise<Buffer> | null = null

async function readList(): Promise<Buffer> {
  const list = await readFile(listUrl)
  const isList = list.length > headerBytes && list.toString('latin1', 0, 4) === 'GHPW' && list.readUInt32BE(4) === 1
  if (!isList || list.length !== headerBytes + indexBytes + list.readUInt32BE(8) * remainderBytes) {
    throw new Error('the list of common passwords is damaged')
  }
  return list
}

/** Read once, at the first question, and kept as the bytes it is: 2.2 MB for the process. */
function loadList(): Promise<Buffer> {
  loading ??= readList().catch((error: unknown) => {
    loading = null
    throw error
  })
  return loading
}

function includes(list: Buffer, text: string): boolean {
  const digest = createHash('sha256').update(text, 'utf8').digest()
  const bucket = digest.readUInt16BE(0)
  const remainder = digest.readUInt32BE(2)
  let low = list.readUInt32BE(headerBytes + bucket * 4)
  let high = list.readUInt32BE(headerBytes + (bucket + 1) * 4)
  while (low < high) {
    const middle = (low + high) >>> 1
    const found = list.readUInt32BE(headerBytes + indexBytes + middle * remainderBytes)
    if (found === remainder) return true
    if (found < remainder) low = middle + 1
    else high = middle
  }
  return false
}

/** Asks for the password as it is and in lower case: capitals do not make a common password uncommon. */
export async function isCommonPassword(password: string): Promise<boolean> {
  const list = await loadList()
  if (includes(list, password)) return true
  const lower = password.toLowerCase()
  return lower !== password && includes(list, lower)
}
