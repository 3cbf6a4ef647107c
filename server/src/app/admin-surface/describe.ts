import type { FastifySchema } from 'fastify'
import { z } from 'zod'
import type { AnyAdminRoute, PermissionRule } from '../../domain/admin-route/index.ts'
import { type ErrorCode, errorKinds } from '../../platform/errors/index.ts'
import { acceptedTypes, bodySpecOf } from './body.ts'

export const Problem = z
  .object({
    type: z.string().describe('A page of this server that explains the error.'),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string(),
    code: z.string(),
    errors: z.array(z.object({ field: z.string(), code: z.string(), message: z.string() })).optional(),
    traceId: z.string(),
  })
  .meta({ id: 'Problem' })

const dryRunParameter = z
  .enum(['true', 'false'])
  .optional()
  .describe('Do everything but keep nothing: the answer is what would have been.')

/** The route's part of the API description (OpenAPI), from the very schemas that validate. */
export function describeRoute(route: AnyAdminRoute): FastifySchema {
  const spec = bodySpecOf(route)
  const isWrite = route.method !== 'GET'
  const parameters = ['realm', ...[...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)].filter(
    (name, at, all) =>
      all.indexOf(name) === at && (name !== 'realm' || route.scope !== 'server' || route.path.includes('{realm}')),
  )
  const query = queryShape(route, isWrite)
  return {
    summary: route.summary,
    description: [route.description, `Permission: ${permissionText(route.permission)}.`].filter(Boolean).join('\n\n'),
    tags: [route.path.split('/')[1]!],
    operationId: operationId(route),
    security: isWrite ? [{ session: [], csrf: [] }] : [{ session: [] }],
    ...(parameters.length > 0
      ? { params: z.object(Object.fromEntries(parameters.map((name) => [name, z.string()]))) }
      : {}),
    ...(query ? { querystring: query } : {}),
    ...(spec ? { body: describeBody(route, spec.schema), consumes: acceptedTypes(route, spec) } : {}),
    ...(route.method === 'PATCH' || route.example.body === undefined ? {} : { 'x-body-example': route.example.body }),
    ...(route.produces ? { produces: [route.produces] } : {}),
    response: { ...successResponses(route), ...errorResponses(route, isWrite, spec !== null) },
    'x-permission': permissionText(route.permission),
    'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: exampleCall(route) }],
  } as FastifySchema
}

function describeBody(route: AnyAdminRoute, schema: z.ZodType): z.ZodType {
  if (route.method !== 'PATCH') return schema
  return z.record(z.string(), z.unknown()).describe('A JSON merge patch (RFC 7396) of the record.')
}

function queryShape(route: AnyAdminRoute, isWrite: boolean): z.ZodType | null {
  const shape = route.query instanceof z.ZodObject ? { ...route.query.shape } : {}
  if (isWrite) Object.assign(shape, { dryRun: dryRunParameter })
  return Object.keys(shape).length > 0 ? z.object(shape) : null
}

function successResponses(route: AnyAdminRoute): Record<number, z.ZodType> {
  return Object.fromEntries(
    Object.entries(route.response).map(([status, schema]) => [status, schema ?? z.null().describe('No body.')]),
  )
}

function errorResponses(route: AnyAdminRoute, isWrite: boolean, hasBody: boolean): Record<number, z.ZodType> {
  const codes = new Set<ErrorCode>([
    'unauthenticated',
    'forbidden',
    'realm_not_found',
    'unavailable',
    ...(route.errors ?? []),
  ])
  if (isWrite) codes.add('csrf_invalid')
  if (route.load || route.path.includes('{')) codes.add('not_found')
  if (route.load && isWrite) codes.add('precondition_failed')
  if (hasBody)
    for (const code of ['validation_failed', 'payload_too_large', 'unsupported_media_type'] as const) codes.add(code)
  if (route.query) codes.add('validation_failed')
  const byStatus = Map.groupBy(codes, (code) => errorKinds[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => [
      status,
      Problem.clone().describe(list.map((code) => `\`${code}\``).join(', ')),
    ]),
  )
}

export function permissionText(rule: PermissionRule): string {
  if ('anyOf' in rule) return rule.anyOf.map((permission) => `\`${permission}\``).join(' or ')
  if ('anyAdmin' in rule) return 'any admin permission'
  if ('system' in rule) return '`realm-admin` of the system realm'
  return 'a session'
}

/** The route's example as a call that can be pasted once the parts in braces are filled in. */
function exampleCall(route: AnyAdminRoute): string {
  // Braces stay readable: they are what the reader fills in.
  const query = new URLSearchParams(route.example.query).toString().replaceAll('%7B', '{').replaceAll('%7D', '}')
  const url = `$BASE${route.scope === 'server' ? '/admin' : '/admin/realms/{realm}'}${route.path}${query ? `?${query}` : ''}`
  const parts = [
    'curl',
    '-b cookies',
    ...(route.method === 'GET' ? [] : [`-X ${route.method}`, '-H "X-XSRF-TOKEN: $XSRF"']),
  ]
  if (route.example.body !== undefined) {
    const type = route.method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    parts.push(`-H 'Content-Type: ${type}'`, `-d '${JSON.stringify(route.example.body)}'`)
  }
  return [...parts, `"${url}"`].join(' ')
}

/** getUsersUserIdRoles: unique, and stable as long as the path is. */
export function operationId(route: AnyAdminRoute): string {
  const words = route.path.split(/[/{}-]+/).filter(Boolean)
  return (
    route.method.toLowerCase() +
    (route.scope === 'server' ? 'Server' : '') +
    words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')
  )
}
