import { describe, expect, test } from 'vitest'
import { buildSteps, builtInFlows } from './built-in.ts'
import { drawFlow } from './flow-notation.fixture.ts'
import { type Administrator, findLockouts, findUnprovenWay } from './safety.ts'
import type { FlowStep, FlowType } from './types.ts'

const somebody = (...able: string[]): Administrator => ({
  able: new Set(able),
  hasSecondFactor: able.some((id) => ['totp', 'webauthn', 'otp-email', 'otp-sms'].includes(id)),
  roles: new Set(['admin']),
})
const password = somebody('password', 'username-password')
const app = somebody('password', 'username-password', 'totp')
const passkey = somebody('passkey', 'webauthn')
const mailbox = somebody('magic-link')

type Verdict = 'safe' | 'unproved' | 'lockout'

function judge(type: FlowType, steps: FlowStep[], admins: Administrator[]): Verdict {
  if (findUnprovenWay(type, steps)) return 'unproved'
  return type === 'BROWSER' && findLockouts(steps, admins).length > 0 ? 'lockout' : 'safe'
}

/** Of administrators with a password, where nothing else is said. */
const browserCorpus: [verdict: Verdict, flow: string, ...admins: Administrator[]][] = [
  ['safe', 'username-password:R'],
  ['safe', 'username:R password:R'],
  // A password of nobody in particular.
  ['lockout', 'password:R'],
  ['lockout', 'password:R username:R'],
  ['unproved', ''],
  ['unproved', 'username-password:D'],
  ['unproved', 'allow:R'],
  ['unproved', 'username:R'],
  ['unproved', 'username:R totp:R', app],
  ['unproved', 'username-password:A allow:A'],
  ['unproved', 'terms:R consent:R'],
  ['unproved', 'recovery-code:R'],
  // A group that asks for nothing when its condition does not hold.
  ['unproved', 'username-password:A (passkey:R@staff):A'],
  ['unproved', 'username-password:C@admin'],
  ['unproved', 'username-password:R@outside allow:R'],
  ['unproved', 'username-password:C'],
  ['unproved', '(username-password:A):C@trusted'],
  ['lockout', 'cookie:R'],
  ['lockout', 'cookie:A'],
  ['safe', 'cookie:A username-password:A'],
  ['lockout', 'deny:R'],
  ['lockout', 'deny:R username-password:R'],
  ['lockout', 'username-password:R deny:R'],
  ['safe', 'deny:A username-password:A'],
  ['safe', 'username-password:R deny:R@not-admin'],
  ['lockout', 'username-password:R deny:C@admin'],
  // Conditions of the request turn out in the worst way.
  ['lockout', 'username-password:R deny:C@outside'],
  ['lockout', 'username-password:R deny:C@office'],
  ['safe', 'username-password:R deny:C@nowhere'],
  ['lockout', 'username-password:R deny:C@not-ipv4'],
  ['lockout', 'username-password:R deny:C@shop'],
  ['lockout', 'username-password:R deny:C@trusted'],
  ['lockout', 'username-password:R deny:C@member'],
  ['lockout', 'username-password:R totp:C@level2'],
  ['lockout', 'passkey:R'],
  ['safe', 'passkey:R', password, passkey],
  ['lockout', 'magic-link:R'],
  ['safe', 'magic-link:R', mailbox],
  ['lockout', 'username-password:R totp:R'],
  ['safe', 'username-password:R totp:R', app],
  // Nobody is known yet when the code is asked for.
  ['lockout', 'totp:R username-password:R', app],
  // Each has one of the two, nobody has both.
  ['lockout', 'passkey:R totp:R', app, passkey],
  ['safe', 'username-password:R (totp:A webauthn:A):C'],
  ['safe', 'username-password:R (totp:A):C', app],
  // Somebody with an app is asked for a second factor and finds only another one.
  ['lockout', 'username-password:R (webauthn:A):C', app],
  // Exactly one of the two groups counts.
  ['safe', '(username-password:R):C@trusted (username-password:R totp:R):C@not-trusted', app],
  ['safe', '(passkey:R):C@staff (username-password:R):C@not-staff'],
  ['lockout', '(passkey:R):C@admin (username-password:R):C@not-admin'],
]

const otherCorpus: [verdict: Verdict, type: FlowType, flow: string][] = [
  ['unproved', 'DIRECT_GRANT', 'cookie:R'],
  ['unproved', 'DIRECT_GRANT', 'allow:R'],
  ['safe', 'DIRECT_GRANT', 'username-password:R'],
  // A code once another way was begun and given up.
  ['unproved', 'DIRECT_GRANT', '(username:R deny:R):A recovery-code:A'],
  ['unproved', 'RESET_CREDENTIALS', 'username:R'],
  ['unproved', 'RESET_CREDENTIALS', 'username:R otp-email:R'],
  ['safe', 'RESET_CREDENTIALS', 'username:R magic-link:R'],
  ['unproved', 'FIRST_BROKER_LOGIN', 'allow:R'],
  ['safe', 'FIRST_BROKER_LOGIN', 'username-password:A passkey:A'],
  ['unproved', 'STEP_UP', 'cookie:R'],
  ['safe', 'STEP_UP', 'otp-sms:R'],
  ['unproved', 'REGISTRATION', 'terms:R'],
  ['safe', 'REGISTRATION', 'username-password:R terms:R'],
]

describe('a browser flow', () => {
  test.each(browserCorpus)('is %s: %s', (verdict, flow, ...admins) => {
    expect(judge('BROWSER', drawFlow(flow), admins.length > 0 ? admins : [password])).toBe(verdict)
  })
})

describe('another flow', () => {
  test.each(otherCorpus)('is %s: %s %s', (verdict, type, flow) => {
    expect(judge(type, drawFlow(flow), [])).toBe(verdict)
  })
})

describe('a built-in flow', () => {
  const byAlias = builtInFlows.map((flow) => [flow.alias, flow] as const)
  test.each(byAlias)('is safe for whoever has a way in: %s', (_alias, flow) => {
    for (const admin of [password, app, passkey]) {
      expect(judge(flow.type, buildSteps('realm', flow), [admin])).toBe('safe')
    }
  })

  test('locks out a realm whose administrators have no first factor', () => {
    expect(judge('BROWSER', buildSteps('realm', builtInFlows[0]!), [somebody('totp')])).toBe('lockout')
  })
})

test('a lockout names the steps in question', () => {
  const steps = drawFlow('cookie:A (username-password:R (totp:A webauthn:A):R):A')
  expect(findLockouts(steps, [password])).toEqual([
    {
      detail: 'stuck at steps[1].steps[1].steps[0] (totp), steps[1].steps[1].steps[1] (webauthn)',
      steps: ['steps[1].steps[1].steps[0]', 'steps[1].steps[1].steps[1]'],
    },
  ])
})

test('a session is named where nothing else is asked for', () => {
  expect(findLockouts(drawFlow('cookie:R'), [password])[0]!.steps).toEqual(['steps[0]'])
})

test('an unproved way is shown', () => {
  const steps = drawFlow('username-password:A (username:R totp:R):A')
  expect(findUnprovenWay('BROWSER', steps)?.detail).toContain('Now username, totp would be enough.')
})

test('the largest flow with the most conditions is judged at once, for as many administrators as are looked at', () => {
  const names = ['staff', 'member', 'shop', 'level2', 'office', 'trusted', 'not-ipv4']
  const some = Array.from({ length: 47 }, (_, at) => `terms:C@${names[at % 7]}`).join(' ')
  const steps = drawFlow(`username-password:R ${some} deny:C@not-ipv4 deny:C@office`)
  const started = performance.now()
  expect(
    findLockouts(
      steps,
      Array.from({ length: 50 }, () => password),
    ),
  ).toHaveLength(50)
  // Far above what it takes, far below what a caller would notice.
  expect(performance.now() - started).toBeLessThan(2000)
})
