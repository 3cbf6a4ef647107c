// Every admin route once more, as the sweeps see it: where it is, what it is called, and what its example sends.
// Architecture 3: the sweeps are generated from the table that the server serves, so a new route is swept without anybody's doing.
// Read by every file of this folder.
import { expandRoutes, fullPath } from '../../src/app/admin-surface/index.ts'
import { adminRoutes } from '../../src/app/module-list.ts'
import type { AnyAdminRoute } from '../../src/domain/admin-route/index.ts'

export interface SweptRoute {
  /** `PUT /admin/realms/{realm}/users/{userId}` */
  label: string
  route: AnyAdminRoute
  path: string
  isWrite: boolean
  isServer: boolean
  /** Names of the path's parameters, without the realm that the route acts in. */
  parameters: string[]
}

export const sweptRoutes: SweptRoute[] = expandRoutes(adminRoutes).map((route) => {
  const path = fullPath(route)
  return {
    label: `${route.method} ${path}`,
    route,
    path,
    isWrite: route.method !== 'GET',
    isServer: route.scope === 'server',
    parameters: [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!),
  }
})

export const writes = sweptRoutes.filter((swept) => swept.isWrite)
export const reads = sweptRoutes.filter((swept) => !swept.isWrite)
export const withBody = writes.filter((swept) => swept.route.body !== undefined)
export const withParameters = sweptRoutes.filter((swept) => swept.parameters.length > 0)

/** For `describe.each` and `test.each`: the label first, because it becomes part of the name. */
export const byLabel = (routes: SweptRoute[]): [string, SweptRoute][] => routes.map((swept) => [swept.label, swept])
