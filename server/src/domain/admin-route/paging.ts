import { z } from 'zod'
import { fieldError, notFound } from '../../platform/errors/index.ts'
import { isUuid } from '../../platform/ids/index.ts'
import type { Result } from './types.ts'

// Contract 8.5. Deeper pages than this go by cursor: an offset makes the database walk everything before it.
const defaultSize = 100
const maxSize = 1000
const maxOffset = 100_000

const wholeNumber = (what: string) => z.string().regex(/^-?\d{1,9}$/, `${what} must be a whole number`)

/** Query parameters of every list. Values stay text here, so that the API description shows what is sent. */
export const pageQuery = z.strictObject({
  page: wholeNumber('page').optional().describe('Page number, starting at 0.'),
  size: wholeNumber('size').optional().describe(`Entries per page, ${defaultSize} by default, ${maxSize} at most.`),
  after: z.string().optional().describe('Cursor: the id after which to go on; what rel="next" carries.'),
  count: z.enum(['true', 'false']).optional().describe('Also send X-Total-Count.'),
})

export const booleanText = z.enum(['true', 'false'])

export interface Paging {
  offset: number
  limit: number
  after: string | null
}

/** Reads page, size and after; refuses what cannot be served. */
export function paging(query: { page?: string; size?: string; after?: string }): Paging {
  const page = Number(query.page ?? 0)
  const size = Number(query.size ?? defaultSize)
  if (page < 0) throw fieldError('page', 'page starts at 0')
  if (size < 1 || size > maxSize) throw fieldError('size', `size is between 1 and ${maxSize}`)
  if (page * size > maxOffset)
    throw fieldError('page', `page × size is at most ${maxOffset}; go deeper with after=<id>`)
  return { offset: page * size, limit: size, after: query.after ?? null }
}

/**
 * Turns rows read with one more than the page into the answer of a list: the extra row is only the sign that there is a next
 * page.
 */
export function pageResult<Row>(options: {
  rows: Row[]
  paging: Paging
  cursorOf(row: Row): string
  query: Record<string, string | undefined>
  total?: number | null
}): Result {
  const { rows, paging: page, query } = options
  const items = rows.slice(0, page.limit)
  const headers: Record<string, string> = {}
  const last = items.at(-1)
  if (rows.length > page.limit && last) {
    const next = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) if (value !== undefined && name !== 'page') next.set(name, value)
    next.set('after', options.cursorOf(last))
    headers.link = `<?${next}>; rel="next"`
  }
  if (options.total !== undefined && options.total !== null) headers['x-total-count'] = String(options.total)
  return { status: 200, body: items, headers }
}

/** An id from a path. A malformed one is simply not there (contract 0.6). */
export function idParameter(value: string | undefined): string {
  if (!value || !isUuid(value)) throw notFound()
  return value
}
