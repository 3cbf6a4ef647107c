import type { FastifyReply } from 'fastify'

/**
 * RFC 9728 section 5.1: whoever is refused learns where tokens for this come from (contract 4.28). What a check of the token said
 * already about a proof stays in front.
 */
export function challengeBearer(reply: FastifyReply, metadataUrl: string, error?: 'invalid_token'): void {
  const metadata = `resource_metadata="${metadataUrl}"`
  const said = reply.getHeader('www-authenticate')
  const own = `Bearer ${metadata}${error ? `, error="${error}"` : ''}`
  reply.header('www-authenticate', typeof said === 'string' ? `${said}, ${metadata}` : own)
}
