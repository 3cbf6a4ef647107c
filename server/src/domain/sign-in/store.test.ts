import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createRealmFor } from '../../../test/harness/index.ts'
import { newId } from '../../platform/ids/index.ts'
import { deleteSignIn, insertSignIn, readSignIn, updateSignIn } from './store.ts'
import type { SignInState } from './types.ts'

const state: SignInState = {
  flowType: 'BROWSER',
  passed: [],
  userId: null,
  username: null,
  proofs: [],
  rememberMe: false,
}

describe('S39: an unfinished sign-in', () => {
  test('moves once from where it stands, whatever two requests do at once', async () => {
    const realm = await createRealmFor()
    const id = newId()
    await realm.run((ctx) =>
      insertSignIn(ctx.tx, {
        realmId: ctx.realmId,
        id,
        browserHash: randomBytes(32),
        flowAlias: 'browser',
        flowVersion: '1',
        state,
        continuation: { kind: 'REDIRECT', path: '/' },
        now: ctx.now,
        expiresAt: ctx.now + 60_000,
      }),
    )
    const { version } = (await readSignIn(realm.node.services.db, realm.realmId, id))!
    const move = (passed: string[]) =>
      realm.run((ctx) => updateSignIn(ctx.tx, ctx.realmId, id, version, { ...state, passed }))
    const moves = await Promise.all(Array.from({ length: 10 }, (_, at) => move([`step-${at}`])))
    expect(moves.filter(Boolean)).toHaveLength(1)
    // Nor can it be completed from where it stood before.
    expect(await realm.run((ctx) => deleteSignIn(ctx.tx, ctx.realmId, id, version))).toBe(false)
  })
})
