// A node whose clock nobody moves, shared by the tests with foreign relying parties: those, and the engine, read the machine's.
import { createRealmFor, startTestNode, type TestNode, type TestRealm } from '../harness/index.ts'

let node: Promise<TestNode> | undefined

export async function createUnmovedRealm(): Promise<TestRealm> {
  // Receivers of logout tokens are on this machine.
  node ??= startTestNode({ env: { GATEHOUSE_EGRESS_ALLOW: 'http://127.0.0.1' } })
  return createRealmFor({ node: await node })
}
