import { asUser, anonymous } from '../../context/index.ts'
import { recordEvent } from '../../events/index.ts'
import {
  applyAssertion,
  consumeChallenge,
  openChallenge,
  type VerifiedAssertion,
  verifyAssertion,
  webauthnRealm,
} from '../../users/credentials/webauthn/index.ts'
import { addressLimit, addressOf } from '../address-limit.ts'
import { maySignIn } from '../may-sign-in.ts'
import { readLoginUser } from '../store.ts'
import type { Step } from '../types.ts'
import { loginPage } from './login-page.ts'
import { readAssertion } from './read-assertion.ts'

interface Checked {
  verified: VerifiedAssertion | null
  opened: { challenge: string; expiresAt: number } | null
  retryAfterSeconds: number | null
}

/** A passkey as the first and only thing asked for: it names the person and proves two factors at once. */
export const passkeyStep: Step<Checked> = {
  id: 'passkey',

  async prepare({ services, realm, settings, browserSecret, input, origin }) {
    const nothing = { verified: null, opened: null, retryAfterSeconds: null }
    const points = settings.bruteForce.perIpMaxPerMinute
    const limit = await addressLimit(services).peek(realm.realmId, addressOf(origin), { points })
    if (!limit.allowed) return { ...nothing, retryAfterSeconds: limit.retryAfterSeconds }
    const opened = openChallenge(services, realm.realmId, browserSecret, input.passkeyChallenge ?? '')
    const response = readAssertion(input.assertion)
    if (!opened || !response) return nothing
    const verified = await verifyAssertion(services, webauthnRealm(services, realm, settings), {
      realmId: realm.realmId,
      challenge: opened.challenge,
      response,
      purpose: 'FIRST',
      userId: null,
    })
    if (!verified) await addressLimit(services).penalty(realm.realmId, addressOf(origin), { points })
    return { ...nothing, verified, opened }
  },

  async decide(ctx, work, checked) {
    if (!checked) return { kind: 'PAGE', failed: false, page: await loginPage(work, null) }
    if (checked.retryAfterSeconds !== null) {
      const { retryAfterSeconds } = checked
      return { kind: 'PAGE', failed: true, retryAfterSeconds, page: await loginPage(work, 'rateLimited') }
    }
    const { verified, opened } = checked
    const user = verified ? await readLoginUser(ctx.tx, ctx.realmId, verified.userId) : null
    const passed =
      verified &&
      user &&
      maySignIn(user, ctx.now) &&
      (await consumeChallenge(ctx, opened!.challenge, opened!.expiresAt)) &&
      (await applyAssertion(ctx, verified))
    if (passed) {
      const proof = { method: 'passkey', at: ctx.now }
      return { kind: 'PASSED', userId: user.id, username: user.username, proof, user }
    }
    const actor = user ? asUser(ctx.realmId, user) : anonymous()
    await recordEvent({ ...ctx, actor }, { type: 'LOGIN_FAILURE', outcome: 'FAILURE', detail: 'passkey' })
    ctx.afterCommit(() => ctx.services.metrics.login(ctx.realmId, 'failure'))
    return { kind: 'PAGE', failed: true, page: await loginPage(work, 'passkeyFailed') }
  },
}
