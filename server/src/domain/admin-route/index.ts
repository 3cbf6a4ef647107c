// Admin routes are data: what a folder says about its routes, and the pieces most of them share.
// Architecture 3, contract 0.6 and part 2.A.
// Written in every routes.ts, interpreted by app/admin-surface, swept by the tests.
import type { AdminRoute, AnyAdminRoute } from './types.ts'

export { booleanText, idParameter, pageQuery, pageResult, paging, type Paging } from './paging.ts'
export type {
  AdminRoute,
  AnyAdminRoute,
  BodyKind,
  BodySpec,
  Example,
  Input,
  Loaded,
  Method,
  PermissionRule,
  Quota,
  Result,
} from './types.ts'

export function adminRoute<Query = Record<string, never>, Body = undefined, Stored = undefined, Prepared = undefined>(
  route: AdminRoute<Query, Body, Stored, Prepared>,
): AnyAdminRoute {
  return route
}
