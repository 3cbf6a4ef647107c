import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { ErrorCode } from '../../platform/errors/index.ts'
import type { Context, Services } from '../context/index.ts'
import type { EventType } from '../events/index.ts'
import type { Permission } from '../permissions/index.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Who may call a route. There is no default: a route without a rule does not compile. */
export type PermissionRule =
  /** Holders of at least one of these. */
  | { anyOf: readonly [Permission, ...Permission[]] }
  /** Holders of any admin permission at all. */
  | { anyAdmin: true }
  /** Anybody signed in to the realm. */
  | { signedIn: true }
  /** Holders of realm-admin in the system realm. */
  | { system: true }

export type BodyKind = 'json' | 'xml' | 'ndjson' | 'csv' | 'multipart' | 'stream'

/** A body that is not plain JSON, or that may be larger than usual. */
export interface BodySpec<Body> {
  kinds: readonly BodyKind[]
  limitBytes: number
  schema: z.ZodType<Body>
  /** True when the route also answers without a body. */
  optional?: boolean
}

/** A stored object with the version its ETag is made of. */
export interface Loaded<Stored> {
  record: Stored
  version: number
}

export interface Input<Query, Body, Stored, Prepared> {
  params: Record<string, string>
  query: Query
  body: Body
  /** What `load` returned. */
  loaded: Loaded<Stored>
  /** What `prepare` returned. */
  prepared: Prepared
}

export interface Result<Response = unknown> {
  status: number
  body?: Response
  /** Sent instead of `body`. */
  stream?: Readable
  contentType?: string
  headers?: Record<string, string>
  /** The id of what was created, where the path does not name it. */
  resourceId?: string
  /** The version of the object after the change; becomes the ETag. */
  version?: number
  /** The changed members for the audit trail, where they do not follow from the record. */
  changes?: Record<string, unknown> | null
  /** FAILURE where the request was answered, but what it looked at is not as it should be. */
  outcome?: 'SUCCESS' | 'FAILURE'
}

export interface EventRule {
  /** Where the verb does not follow from the method and path. */
  type?: EventType
  resourceType?: string
  /** The id of the person the change is about. */
  subject?(params: Record<string, string>, result: Result): string | null
  /** A GET that shows something sensitive is audited, too. */
  auditRead?: true
}

export interface Example {
  /** Makes what the path names and returns the path's parameters; runs in a fresh realm. */
  fixture?(ctx: Context): Promise<Record<string, string>>
  params?: Record<string, string>
  /** `{name}` in a value stands for the parameter of the path. */
  query?: Record<string, string>
  body?: unknown
}

export interface Quota {
  /** What is counted, for the error's text. */
  name: string
  limit: number
  count(ctx: Context, upTo: number): Promise<number>
}

export interface AdminRoute<Query = unknown, Body = unknown, Stored = unknown, Prepared = unknown> {
  method: Method
  /** Relative to /admin/realms/{realm}, or to /admin for the scope `server`; parameters in braces. */
  path: string
  scope?: 'realm' | 'server'
  permission: PermissionRule
  summary: string
  description?: string
  query?: z.ZodType<Query>
  body?: z.ZodType<Body> | BodySpec<Body>
  response: Record<number, z.ZodType | null>
  /** The type of a successful answer that is not JSON; of lines, `response` describes one. */
  produces?: 'application/x-ndjson'
  /** Errors beyond those every route may give. */
  errors?: ErrorCode[]
  /** Reads the object that the path names, locked when it is about to change. Gives 404, ETag, If-Match and the audit's changes. */
  load?(ctx: Context, params: Record<string, string>, forUpdate: boolean): Promise<Loaded<Stored>>
  /** Work without a transaction: hashing, outside calls. */
  prepare?(ctx: Context, input: Omit<Input<Query, Body, Stored, never>, 'loaded' | 'prepared'>): Promise<Prepared>
  /** Inside the transaction. A GET with `load` needs none. */
  handle?(ctx: Context, input: Input<Query, Body, Stored, Prepared>): Promise<Result>
  event?: EventRule
  /** Needs a sign-in of the last minutes when the realm demands that (†). */
  reauthenticate?: true
  /** Also offered as PATCH with a JSON merge patch. */
  mergePatch?: true
  quota?: Quota
  /** Limits how many of these run at once in a process; overflow is answered 503. */
  lane?: { width: number; queue: number }
  /** False where a retry may safely act again, or the answer is too large to keep. */
  idempotencyKey?: false
  example: Example
}

// A table of routes with different bodies can only be typed loosely; each entry was checked where it was written.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyAdminRoute = AdminRoute<any, any, any, any>

export type { Services }
