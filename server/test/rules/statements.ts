// Hears every statement that this process sends to PostgreSQL, and judges whether it names its realm.
// Architecture 5: on a distributed database a statement that does not is sent to every shard.
import pg from 'pg'

export interface Listener {
  /** Each distinct text once. */
  texts: Set<string>
  stop(): void
}

/** All clients share one prototype, so also those that were connected before are heard. */
export function listenToStatements(): Listener {
  const texts = new Set<string>()
  const original = pg.Client.prototype.query
  const listening = function (this: pg.Client, ...given: unknown[]) {
    const [first] = given
    const text = typeof first === 'string' ? first : (first as { text?: string } | null)?.text
    if (typeof text === 'string') texts.add(text.replaceAll(/\s+/g, ' ').trim())
    return Reflect.apply(original, this, given)
  }
  pg.Client.prototype.query = listening as typeof original
  return {
    texts,
    stop() {
      pg.Client.prototype.query = original
    },
  }
}

const reads = /^(select|insert|update|delete|with)\b/i

/** How often each kind of reference occurs. */
const count = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].length

/** False for statements that touch a tenant table without naming one realm for each time they do. */
export function namesItsRealm(statement: string, tenantTables: string[]): boolean {
  const text = statement.toLowerCase()
  if (!reads.test(text)) return true
  const table = `"?(?:${tenantTables.join('|')})"?(?![\\w"])`
  // `do update set` belongs to an insert that is judged by its columns; `for update of` names no table anew.
  const references = count(
    text,
    new RegExp(`(?:\\bfrom|\\bjoin|(?<!for )\\bupdate)\\s+(?:only\\s+)?(?:"?public"?\\.)?${table}`, 'g'),
  )
  const inserts = [...text.matchAll(new RegExp(`\\binto\\s+${table}(?:\\s+as\\s+\\w+)?\\s*(\\([^)]*\\))?`, 'g'))]
  if (inserts.some(([, columns]) => !/\brealm_id\b/.test(columns ?? ''))) return false
  // One realm: a parameter, or the realm of another table of the statement. `any(…)` and `in (…)` may be many.
  const bindings = count(text, /\brealm_id"?\s*=\s*(?:\$\d+(?!::text\[\])|(?:"?\w+"?\.)?"?realm_id"?)/g)
  return bindings >= references
}
