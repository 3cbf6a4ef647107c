import { z } from 'zod'

type Json = Record<string, unknown>

interface RouteSchema {
  hide?: boolean
  params?: z.ZodType
  querystring?: z.ZodType
  body?: z.ZodType
  response?: Record<string, z.ZodType>
  [member: string]: unknown
}

/**
 * Turns the Zod schemas of routes into JSON Schema for the description. Schemas with an id become shared components; a schema
 * that reads differently as input and as output gets a second one for requests.
 */
export function createSchemaTransform() {
  const components: Record<string, Json> = {}

  function convert(schema: z.ZodType, io: 'input' | 'output'): Json {
    const {
      $schema: _dialect,
      $defs = {},
      ...root
    } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: simplify }) as Json
    const names = new Map<string, string>()
    for (const [id, definition] of Object.entries($defs as Record<string, Json>))
      names.set(id, nameFor(id, definition, io))
    const { id, ...rest } = rewrite(root, names) as Json
    for (const [defId, definition] of Object.entries($defs as Record<string, Json>)) {
      const { id: _id, ...body } = rewrite(definition, names) as Json
      components[names.get(defId)!] = body
    }
    if (typeof id !== 'string') return rest
    const name = nameFor(id, rest, io)
    components[name] = rest
    return { $ref: `#/components/schemas/${name}` }
  }

  function nameFor(id: string, definition: Json, io: 'input' | 'output'): string {
    const known = components[id]
    const { id: _id, ...body } = definition
    return known && io === 'input' && JSON.stringify(known) !== JSON.stringify(body) ? `${id}Request` : id
  }

  return {
    components,
    transform({ schema, url }: { schema: RouteSchema | undefined; url: string }) {
      if (!schema) return { schema: { hide: true }, url }
      const { params, querystring, body, response, ...rest } = schema
      const converted: Json = { ...rest }
      if (params) converted.params = convert(params, 'input')
      if (querystring) converted.querystring = convert(querystring, 'input')
      if (body) converted.body = convert(body, 'input')
      if (response) converted.response = mapValues(response, (one) => convert(one, 'output'))
      return { schema: converted, url }
    },
  }
}

/** Limits and patterns that Zod adds by itself say nothing to a reader. */
function simplify({ jsonSchema }: { jsonSchema: Json }): void {
  if (jsonSchema.format === 'uuid') delete jsonSchema.pattern
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
}

function rewrite(value: unknown, names: Map<string, string>): unknown {
  if (Array.isArray(value)) return value.map((entry) => rewrite(entry, names))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => {
      if (key !== '$ref' || typeof entry !== 'string') return [key, rewrite(entry, names)]
      const id = entry.replace('#/$defs/', '')
      return [key, `#/components/schemas/${names.get(id) ?? id}`]
    }),
  )
}

function mapValues<A, B>(record: Record<string, A>, map: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))
}
