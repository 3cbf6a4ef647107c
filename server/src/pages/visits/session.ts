import type { FastifyReply } from 'fastify'
import { type AuthenticatedSession, authenticateSession } from '../../domain/sessions/index.ts'
import type { Visit } from './visit.ts'

/** The session that a visit counts as; null when there is none, or none that is still good. */
export async function findSession({
  services,
  realm,
  browser,
}: Pick<Visit, 'services' | 'realm' | 'browser'>): Promise<AuthenticatedSession | null> {
  if (!browser.sessionToken) return null
  const outcome = await authenticateSession(services, realm.realmId, browser.sessionToken, null)
  return outcome.realm === 'ENABLED' ? outcome.session : null
}

/** To the sign-in page and back; nothing is said of what waits there until somebody is known. */
export function sendToSignIn(reply: FastifyReply, realmId: string, path: string): FastifyReply {
  const location = `/realms/${realmId}/login?redirect=${encodeURIComponent(path)}`
  return reply.code(303).header('cache-control', 'no-store').header('location', location).send()
}
