// Where a sweep plays: a realm and somebody who may do everything in it, or the system realm for the routes of the server.
// Contract 1.4: routes without a realm are the system realm's.
// Made once for a file of sweeps; routes do not disturb one another because each brings its own fixture.
import { type Browser, createBrowser, createRealmFor, getNode, type TestNode } from '../harness/index.ts'
import { systemPassword } from '../harness/node.ts'
import type { SweptRoute } from './route-table.ts'

export interface Stage {
  node: TestNode
  realmId: string
  admin: Browser
  adminId: string
}

/** A fresh realm with its administrator. */
export async function openRealmStage(at?: TestNode): Promise<Stage> {
  const { node, realmId, admin, adminId } = await createRealmFor(at ? { node: at } : {})
  return { node, realmId, admin, adminId }
}

/** The system realm with its administrator, who may act on every realm. */
export async function openSystemStage(node?: TestNode): Promise<Stage> {
  const at = node ?? (await getNode())
  const realmId = at.services.config.bootstrap.realm
  const admin = createBrowser(at.url)
  const login = await admin.login(realmId, 'admin', systemPassword)
  if (login.status !== 200) throw new Error(`the system administrator cannot sign in: ${login.status} ${login.text}`)
  return { node: at, realmId, admin, adminId: login.body.userId }
}

export interface Stages {
  realm: Stage
  system: Stage
}

export async function openStages(): Promise<Stages> {
  return { realm: await openRealmStage(), system: await openSystemStage() }
}

export const stageOf = (stages: Stages, swept: SweptRoute): Stage => (swept.isServer ? stages.system : stages.realm)
