// Looks for what was said about a person in everything that is kept: every row of every table of every schema.
import pg from 'pg'

export interface Trace {
  place: string
  canary: string
  row: string
}

/** The ways in which a text shows when it is kept as it is, inside something encoded, or as bytes. */
function formsOf(canary: string): RegExp[] {
  const bytes = Buffer.from(canary)
  // Inside a longer text the encoding begins at one of three places; the first and last signs then also hold something else.
  const base64 = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replaceAll('=', '')
      .slice(shift === 0 ? 0 : shift + 1, -1),
  )
  const exact = base64.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')])
  return [
    ...[canary, bytes.toString('hex'), encodeURIComponent(canary)].map((text) => new RegExp(escapeText(text), 'i')),
    ...exact.map((text) => new RegExp(escapeText(text))),
  ]
}

const escapeText = (text: string) => text.replaceAll(/[^\w]/g, (sign) => `\\${sign}`)

/** Every row that holds one of these, whatever it is and wherever. */
export async function findTraces(databaseUrl: string, canaries: string[]): Promise<Trace[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows: tables } = await client.query(`
      select n.nspname || '.' || quote_ident(c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname <> 'information_schema' and n.nspname not like 'pg\\_%'`)
    const wanted = canaries.map((canary) => ({ canary, forms: formsOf(canary) }))
    const traces: Trace[] = []
    for (const { name } of tables as { name: string }[]) {
      const { rows } = await client.query(`select t::text as row from ${name} t`)
      const found = (rows as { row: string }[]).flatMap(({ row }) =>
        wanted
          .filter(({ forms }) => forms.some((form) => form.test(row)))
          .map(({ canary }) => ({ place: name, canary, row })),
      )
      traces.push(...found)
    }
    return traces
  } finally {
    await client.end()
  }
}

/** Lines of a log that hold one of these. */
export function findInLines(lines: string[], canaries: string[]): string[] {
  const forms = canaries.flatMap(formsOf)
  return lines.filter((line) => forms.some((form) => form.test(line)))
}
