import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { findInRange, type RangeKey } from './range.ts'

/** The largest range of the public download is a tenth of this. */
const maxRangeBytes = 1024 * 1024

async function readRange(path: string): Promise<string | null> {
  let file: Awaited<ReturnType<typeof open>>
  try {
    file = await open(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  try {
    const { size } = await file.stat()
    if (size > maxRangeBytes) throw new Error('the range file is too large')
    return await file.readFile('latin1')
  } finally {
    await file.close()
  }
}

/** A directory of files named by prefix, with or without `.txt`. null when it cannot be asked. */
export async function askRangeDirectory(directory: string, key: RangeKey): Promise<boolean | null> {
  try {
    for (const name of [`${key.prefix}.txt`, key.prefix]) {
      const text = await readRange(join(directory, name))
      if (text !== null) return findInRange(text, key.suffix)
    }
    // A partial collection may lack the file; a directory that is gone or not mounted is another matter.
    return (await stat(directory)).isDirectory() ? false : null
  } catch {
    return null
  }
}
