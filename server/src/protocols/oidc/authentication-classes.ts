import { interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider'
import { type Level, levelOfAcr } from '../../domain/sessions/index.ts'
import { errors } from './internals.ts'

const { Check } = interactionPolicy
type LoginPrompt = NonNullable<ReturnType<ReturnType<typeof interactionPolicy.base>['get']>>

export type Aliases = Readonly<Record<string, string>>

/** Why the engine asks where only the strength of the sign-in is missing. */
export const acrReasons = ['acr_values', 'essential_acr', 'essential_acrs']

interface AskedAcr {
  value?: string
  values?: string[]
  essential?: boolean
}

function askedOf(ctx: KoaContextWithOIDC): AskedAcr {
  return (ctx.oidc.claims?.id_token as { acr?: AskedAcr | null } | undefined)?.acr ?? {}
}

function namesOf({ value, values }: AskedAcr): string[] {
  if (values !== undefined && !Array.isArray(values))
    throw new errors.InvalidRequest('invalid claims.id_token.acr.values type')
  return [...(values ?? []), ...(value === undefined ? [] : [value])]
}

/** The level of the class that is asked for first; classes nobody knows are passed over. */
export function askedLevel(ctx: KoaContextWithOIDC, aliases: Aliases): Level {
  const levels = namesOf(askedOf(ctx)).map((name) => levelOfAcr(name, aliases))
  return levels.find((level) => level !== null) ?? 1
}

/** The first class asked for that the session reaches. */
function reachedClass(ctx: KoaContextWithOIDC, aliases: Aliases): string | undefined {
  const { session } = ctx.oidc
  const held = levelOfAcr(session?.acr ?? '', aliases) ?? 0
  return namesOf(askedOf(ctx)).find((name) => (levelOfAcr(name, aliases) ?? 4) <= held)
}

/**
 * A class is reached when the session is at least as strong (contract 2.104b). An essential one that a fresh sign-in did not
 * reach cannot be reached: asking again would never end. One that is only wished for is asked for once.
 */
export function checkClasses(login: LoginPrompt, aliases: Aliases): void {
  for (const reason of ['essential_acrs', 'essential_acr']) {
    const check = login.checks.get(reason)!
    check.check = (ctx) => {
      const asked = askedOf(ctx)
      const isMeant = asked.essential && (reason === 'essential_acrs' ? asked.values : asked.value) !== undefined
      if (!isMeant || nameReached(ctx, aliases)) return Check.NO_NEED_TO_PROMPT
      if (ctx.oidc.result?.login) {
        throw new errors.UnmetAuthenticationRequirements('the requested authentication class cannot be reached')
      }
      return Check.REQUEST_PROMPT
    }
  }
  login.checks.add(
    new Check('acr_values', 'a stronger sign-in is wished for', 'login_required', (ctx) => {
      if (askedOf(ctx).essential || nameReached(ctx, aliases)) return Check.NO_NEED_TO_PROMPT
      const isSilent = ctx.oidc.prompts.has('none')
      const isAsked = askedLevel(ctx, aliases) > (levelOfAcr(ctx.oidc.session?.acr ?? '', aliases) ?? 0)
      return isAsked && !isSilent && !ctx.oidc.result?.login
    }),
  )
}

/** Tokens then name the class as the application asked for it, by its own name or by the realm's. */
function nameReached(ctx: KoaContextWithOIDC, aliases: Aliases): boolean {
  const reached = reachedClass(ctx, aliases)
  if (reached === undefined) return false
  ;(ctx.oidc.session as { acr?: string }).acr = reached
  return true
}
