import type { IncomingMessage } from 'node:http'
import { parseCookies } from '../../platform/http/index.ts'

export function readCookiesFrom(request: IncomingMessage): Record<string, string> {
  return parseCookies(request.headers.cookie)
}
