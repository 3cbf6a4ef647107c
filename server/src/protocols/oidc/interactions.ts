import { interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider'
import type { Services } from '../../domain/context/index.ts'
import { sealArrival } from '../../domain/sign-in/index.ts'
import { truncate } from '../../platform/text/index.ts'
import { acrReasons, askedLevel, checkClasses } from './authentication-classes.ts'
import { actingNow } from './acting.ts'
import { clientFacts } from './client-metadata.ts'
import { errors } from './internals.ts'
import type { IssuerParts } from './issuer.ts'

const { Check, Prompt } = interactionPolicy
type Policy = ReturnType<typeof interactionPolicy.base>

interface Waiting {
  uid: string
  prompt: { name: string; reasons: string[] }
  params: Record<string, unknown>
  destroy(): Promise<void>
}

// As long as a username may be.
const maxHint = 255

/** Where a person is sent who must do something: the one sign-in page, or the consent page of this request. */
export async function interactionUrl(
  services: Services,
  { realmId, settings }: IssuerParts,
  ctx: KoaContextWithOIDC,
  interaction: Waiting,
): Promise<string> {
  if (actingNow() !== null) {
    await interaction.destroy()
    throw new errors.AccessDenied('an administrator acts as this person and cannot sign in or consent in their name')
  }
  const base = `/realms/${realmId}`
  if (interaction.prompt.name === 'consent') return `${base}/consent/${interaction.uid}`
  const { redirect_uri: leadsTo, login_hint: hint, client_id: clientId } = interaction.params
  const arrival = sealArrival(services, realmId, {
    path: `${base}/authorize/${interaction.uid}`,
    leadsTo: String(leadsTo),
    username: typeof hint === 'string' ? truncate(hint, maxHint) : '',
    clientId: String(clientId),
    level: askedLevel(ctx, settings.acrAliases),
    // Somebody who only proved too little keeps what they proved; every other reason asks for everything anew.
    fresh: interaction.prompt.reasons.some((reason) => !acrReasons.includes(reason)),
  })
  return `${base}/login?arrival=${arrival}`
}

/** Our changes to when the engine asks. */
export function checkInteractions(policy: Policy, { settings, singleSignOn }: IssuerParts): void {
  const login = policy.get('login')!
  const consent = policy.get('consent')!
  checkClasses(login, settings.acrAliases)
  if (!singleSignOn) {
    const text = 'this realm asks every application to sign the person in'
    login.checks.add(new Check('no_single_sign_on', text, 'login_required', (ctx) => !ctx.oidc.result?.login))
  }
  // Nobody signed in as the person an administrator acts as, so they did not do it lately either.
  login.checks.add(
    new Check(
      'impersonated',
      'nobody signed in as this person',
      'login_required',
      (ctx) => Boolean(actingNow()) && ctx.oidc.params?.max_age !== undefined,
    ),
  )
  // Choosing an account is signing in with it: the sign-in page asks for the name anyway.
  policy.add(new Prompt({ name: 'select_account', requestable: true }), 0)
  // Any program of the person's computer may answer to a private scheme, so silence is no consent there (RFC 8252 section 8.6).
  consent.checks.remove('native_client_prompt')
  consent.checks.add(
    new Check('native_client_prompt', 'native clients require End-User interaction', 'interaction_required', (ctx) => {
      const { client, params, result } = ctx.oidc
      const isPrivate = !/^https?:/i.test(String(params?.redirect_uri))
      const didSomething = Boolean(result?.consent) || Boolean(result?.login)
      return Boolean(clientFacts(client)?.publicClient) && isPrivate && !didSomething
    }),
  )
}
