// What a body may contain, read from the schema that validates it.
// S11 and contract 2.1, 2.2: the rubbish and mass-assignment sweeps try every member of every schema.
import { z } from 'zod'
import type { SweptRoute } from './route-table.ts'

export type Members = Record<string, z.ZodType>

/** The schema of the route's JSON body. */
export function bodySchema({ route }: SweptRoute): z.ZodType {
  const body = route.body as z.ZodType | { schema: z.ZodType }
  return 'schema' in body && !('safeParse' in body) ? body.schema : (body as z.ZodType)
}

/** The members of an object, of the first object among alternatives, or of an array's entries. */
export function membersOf(schema: z.ZodType): Members {
  if (schema instanceof z.ZodObject) return schema.shape as Members
  if (schema instanceof z.ZodUnion) {
    const options = schema.options as z.ZodType[]
    return membersOf(options.find((option) => option instanceof z.ZodObject) ?? z.object({}))
  }
  if (schema instanceof z.ZodArray) return membersOf(schema.element as z.ZodType)
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return membersOf(schema.unwrap() as z.ZodType)
  }
  return {}
}

/** Read-only members take anything, because a record that was read may be sent back (contract 2.2). */
export const isReadOnly = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodOptional && schema.unwrap() instanceof z.ZodUnknown

export const writableMembers = (swept: SweptRoute): [string, z.ZodType][] =>
  Object.entries(membersOf(bodySchema(swept))).filter(([, schema]) => !isReadOnly(schema))

export const readOnlyMembers = (swept: SweptRoute): string[] =>
  Object.entries(membersOf(bodySchema(swept)))
    .filter(([, schema]) => isReadOnly(schema))
    .map(([name]) => name)
