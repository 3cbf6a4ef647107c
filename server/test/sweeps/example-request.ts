import { randomBytes } from 'node:crypto'
import type { Actor } from '../../src/domain/context/index.ts'
import { permissionKeys } from '../../src/domain/permissions/index.ts'
import { newId } from '../../src/platform/ids/index.ts'
import { runTransaction } from '../../src/platform/db/index.ts'
import type { Answer, Browser } from '../harness/index.ts'
import { contextIn } from '../harness/realm.ts'
import type { SweptRoute } from './route-table.ts'
import type { Stage } from './stage.ts'

export interface ExampleRequest {
  method: string
  path: string
  query: Record<string, string>
  params: Record<string, string>
  json?: unknown
  type?: string
}

// Fixtures name what they make after the time of their context, so no two of them may have the same.
let earlier = 0

/** The route's example with everything made that its path names. */
export async function prepareExample(stage: Stage, swept: SweptRoute): Promise<ExampleRequest> {
  const { example } = swept.route
  const params = { ...example.params, ...(example.fixture ? await runFixture(stage, swept) : {}) }
  return requestFor(stage, swept, params)
}

async function runFixture(stage: Stage, swept: SweptRoute): Promise<Record<string, string>> {
  const actor: Actor = {
    kind: 'USER',
    userId: stage.adminId,
    username: 'admin',
    realmId: stage.realmId,
    sessionId: null,
    impersonatorId: null,
    permissions: new Set<string>(permissionKeys),
    authenticatedAt: stage.node.clock.now(),
  }
  earlier += 1
  const now = stage.node.clock.now() - earlier
  return runTransaction(stage.node.services.db, (work) =>
    swept.route.example.fixture!({ ...contextIn(stage.node, stage.realmId, work), actor, now }),
  )
}

/** The route's example under another path, for instance one that names nothing. */
export function requestFor(stage: Stage, swept: SweptRoute, params: Record<string, string>): ExampleRequest {
  const { method, example } = swept.route
  const values: Record<string, string> = swept.isServer ? params : { ...params, realm: stage.realmId }
  const path = swept.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? 'missing'))
  const query = Object.fromEntries(
    Object.entries(example.query ?? {}).map(([name, value]) => [name, fillIn(value, values)]),
  )
  return {
    method,
    path,
    query,
    params,
    ...(example.body === undefined ? {} : { json: fillBody(example.body, values) }),
    ...(method === 'PATCH' ? { type: 'application/merge-patch+json' } : {}),
  }
}

const fillIn = (value: string, params: Record<string, string>) =>
  value.replaceAll(/\{(\w+)\}/g, (whole, name: string) => params[name] ?? whole)

function fillBody(body: unknown, params: Record<string, string>): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const entries = Object.entries(body)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'string' ? fillIn(value, params) : value]),
  )
}

/** Ids of the right shape that name nothing. */
export function unknownParams(swept: SweptRoute): Record<string, string> {
  return Object.fromEntries(swept.parameters.map((name) => [name, unknownValue(name)]))
}

export function unknownValue(parameter: string): string {
  if (parameter === 'realm') return `unknown-${randomBytes(4).toString('hex')}`
  return parameter === 'type' ? 'password' : newId(Date.now())
}

export interface SendOptions {
  query?: Record<string, string>
  headers?: Record<string, string>
  json?: unknown
  raw?: string | Buffer
  type?: string
  /** Null leaves the CSRF header out. */
  csrf?: string | null
  traceId?: string
}

/** Sends the request; every option takes the place of what the example says. */
export function send(browser: Browser, request: ExampleRequest, options: SendOptions = {}): Promise<Answer> {
  const query = new URLSearchParams({ ...request.query, ...options.query }).toString()
  const path = request.path + (query ? `?${query}` : '')
  const trace: Record<string, string> = options.traceId
    ? { traceparent: `00-${options.traceId}-${'1'.repeat(16)}-01` }
    : {}
  const { raw, csrf } = options
  const json = raw === undefined ? ('json' in options ? options.json : request.json) : undefined
  const type = options.type ?? (raw === undefined ? request.type : 'application/json')
  const rest = {
    headers: { ...trace, ...options.headers },
    ...(raw === undefined ? {} : { raw }),
    ...(type ? { type } : {}),
  }
  if (request.method === 'GET') return browser.send('GET', path, { ...rest, ...(json === undefined ? {} : { json }) })
  return browser.write(request.method, path, json, { ...rest, ...(csrf === undefined ? {} : { csrf }) })
}

export const newTraceId = () => randomBytes(16).toString('hex')
