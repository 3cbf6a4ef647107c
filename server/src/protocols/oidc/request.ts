import type { IncomingMessage } from 'node:http'
import { parseCookies } from '../../platform/http/index.ts'

export function readCookieFrom(request: IncomingMessage, name: string): string | null {
  return parseCookies(request.headers.cookie)[name] ?? null
}
