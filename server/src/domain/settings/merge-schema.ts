// Turns the schema of a settings member into the schema of its change: absent = unchanged, null = back to the default.
import { z } from 'zod'

/**
 * The default must go: an optional member with a default would be filled in when it is absent, and a change of one member
 * would then reset all others.
 */
export function mergeMember(member: z.ZodType): z.ZodType {
  const plain = (member instanceof z.ZodDefault ? member.unwrap() : member) as z.ZodType
  const nullable = plain instanceof z.ZodNullable ? plain : z.nullable(plain)
  return z.optional(nullable).describe(describeChange(member))
}

export function mergeMembers(members: Record<string, z.ZodType>): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, mergeMember(member)]))
}

function describeChange(member: z.ZodType): string {
  const description = member.description ?? ''
  if (!(member instanceof z.ZodDefault)) return description
  const value: unknown = member.def.defaultValue
  return value === null ? description : `${description} null sets it back to ${JSON.stringify(value)}.`
}
