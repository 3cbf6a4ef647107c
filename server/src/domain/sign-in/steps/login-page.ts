import { createAuthenticationOptions, sealChallenge, webauthnRealm } from '../../users/credentials/webauthn/index.ts'
import type { PasskeyPrompt, StepError, StepPage } from '../pages.ts'
import type { StepWork } from '../types.ts'

type LoginPage = Extract<StepPage, { page: 'LOGIN' }>

/** The page of the first factor: every way that the flow leaves open, in one form. */
export async function loginPage(work: StepWork, error: StepError | null, username?: string): Promise<LoginPage> {
  const open = new Set([work.flowStep?.authenticator ?? '', ...work.others])
  const fields = open.has('username-password')
    ? 'BOTH'
    : open.has('password')
      ? 'PASSWORD'
      : open.has('username') || open.has('magic-link')
        ? 'USERNAME'
        : 'NONE'
  return {
    page: 'LOGIN',
    username: username ?? work.state.typedName ?? work.state.username ?? '',
    error,
    fields,
    passkey: open.has('passkey') ? await promptForPasskey(work) : null,
    magicLink: open.has('magic-link'),
    qr: open.has('qr'),
  }
}

/**
 * The challenge travels in the form, sealed for this browser: looking at the page keeps nothing. It is used up when it comes
 * back.
 */
async function promptForPasskey({ services, realm, settings, browserSecret }: StepWork): Promise<PasskeyPrompt> {
  const options = await createAuthenticationOptions(services, webauthnRealm(services, realm, settings), null, 'FIRST')
  const { challenge } = options as { challenge: string }
  return { options, challenge: sealChallenge(services, realm.realmId, browserSecret, challenge) }
}
