import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { EgressError } from './errors.ts'

const decoders = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
}

export const acceptedEncodings = 'gzip, deflate, br'

/** Reads at most `maxBytes` from the wire; leaving the loop early closes the connection. */
export async function readBody(
  stream: AsyncIterable<Buffer>,
  declaredLength: string | undefined,
  maxBytes: number,
): Promise<Buffer> {
  if (declaredLength !== undefined && Number(declaredLength) > maxBytes) throw new EgressError('too_large')
  const chunks: Buffer[] = []
  let total = 0
  for await (const chunk of stream) {
    total += chunk.length
    if (total > maxBytes) throw new EgressError('too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, total)
}

/** The limit holds for what comes out as well: a few kilobytes of gzip can hold gigabytes. */
export async function decodeBody(body: Buffer, encoding: string | undefined, maxBytes: number): Promise<Buffer> {
  const name = (encoding ?? '').trim().toLowerCase()
  if (name === '' || name === 'identity' || body.length === 0) return body
  if (!Object.hasOwn(decoders, name)) {
    // Also stacked encodings, which serve nothing but multiplying the work.
    throw new EgressError('network', { cause: new Error('unknown content encoding') })
  }
  try {
    return await decoders[name as keyof typeof decoders](body, { maxOutputLength: maxBytes })
  } catch (cause) {
    const isTooLarge = (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    throw new EgressError(isTooLarge ? 'too_large' : 'network', { cause })
  }
}
