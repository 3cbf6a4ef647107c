import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Services } from '../../domain/context/index.ts'
import { pageHeaders, renderClientErrorPage } from '../../pages/index.ts'
import { DomainError } from '../../platform/errors/index.ts'
import { findOauthError, findOauthHint } from '../../platform/errors/oauth/index.ts'
import { truncate } from '../../platform/text/index.ts'
import type { IssuerParts } from './issuer.ts'
import { readLook, sendPage } from './page-context.ts'
import { currentUnit } from './unit.ts'

interface Failure {
  error: string
  error_description?: string | undefined
}

interface Advice {
  title: string
  whatToDo: string
}

/** What the code of the standard says less exactly than we know it here, where somebody in a browser is on the way to sign in. */
const advice: Record<string, Advice> = {
  invalid_client: {
    title: 'The application is not known here',
    whatToDo: 'Check client_id: it must be the clientId of a client of this realm that is enabled.',
  },
  session_not_found: {
    title: 'The sign-in took too long or was answered before',
    whatToDo: 'Start again at the application. A request can be answered once, in the browser it began in.',
  },
}
const otherwise: Advice = {
  title: 'The request cannot be accepted',
  whatToDo: 'Look the error code up at /errors of this service.',
}

/** The same words as at /errors and in `gatehouse token explain`; the page shows them as they are, without marks for code. */
function adviceFor(code: string, description: string): Advice {
  const kind = findOauthError(code)
  if (!kind) return otherwise
  const { remedy } = findOauthHint(description) ?? kind
  return { title: kind.title, whatToDo: remedy.replaceAll('`', '') }
}

// Long enough for any address that somebody would want to read.
const maxFact = 2000
const shownParameters = ['client_id', 'redirect_uri', 'response_type', 'scope']

/** For people one friendly sentence, for the developer of the application what was wrong; nothing about other clients. */
export async function renderFailure(
  services: Services,
  parts: IssuerParts,
  ctx: KoaContextWithOIDC,
  out: Failure,
  error: Error,
): Promise<void> {
  const unit = currentUnit()
  const reference = unit?.origin.traceId ?? ''
  if (ctx.accepts('json', 'html') !== 'html') {
    ctx.body = out
    return
  }
  // The engine's text for a lost request; its code says less than its name.
  const code = error.name === 'SessionNotFound' ? 'session_not_found' : out.error
  const message = out.error_description ?? out.error
  const { title, whatToDo } = advice[code] ?? adviceFor(code, message)
  const sent = (ctx.method === 'POST' ? ctx.oidc.body : ctx.query) as Record<string, unknown> | undefined
  const facts = shownParameters
    .filter((name) => typeof sent?.[name] === 'string')
    .map((name) => ({ name, value: truncate(String(sent![name]), maxFact) }))
  const look = await readLook(services, parts.realmId).catch(() => null)
  const html = renderClientErrorPage({
    realm: look,
    status: ctx.status,
    error: out.error,
    title,
    message,
    whatToDo,
    facts,
    reference,
  })
  sendPage(ctx, pageHeaders({ dataImages: look?.usesDataImages ?? false }), html)
}

/** A database that is away is told as such; anything else of ours goes to the log and says nothing (contract 7.4). */
export function answerOutage(services: Services, ctx: KoaContextWithOIDC, error: Error): void {
  const traceId = currentUnit()?.origin.traceId
  if (error instanceof DomainError && error.code === 'unavailable') {
    ctx.status = 503
    ctx.set('retry-after', String(error.retryAfterSeconds ?? 1))
    ctx.body = { error: 'temporarily_unavailable', error_description: error.detail }
    services.log.warn({ err: error.cause ?? error, traceId }, error.detail)
    return
  }
  services.log.error({ err: error, traceId }, 'the issuer failed')
}
