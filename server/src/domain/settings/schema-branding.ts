import { z } from 'zod'
import { customCssMaxBytes } from '../branding/index.ts'

/** One line of text. Control characters are refused because names end up in mail headers and log lines. */
export function plainLine(maxLength: number) {
  return z
    .string()
    .min(1)
    .max(maxLength)
    .regex(/^\P{Cc}*$/u, 'must be one line without control characters')
}

// Longer addresses are refused by common browsers and proxies anyway.
export const urlMaxLength = 2048

export const httpsUrl = z.url({ protocol: /^https$/, error: 'must be an https address' }).max(urlMaxLength)

const color = z.string().regex(/^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/, 'must be a colour such as #rgb or #rrggbb')

const logoUrl = z
  .string()
  .max(urlMaxLength)
  .refine(isLogoUrl, 'must be an https address without user name, or a path below /assets/')
  .meta({ pattern: '^(https://|/assets/)' })

/** Contract 2.109. All are null on a fresh realm. */
export const brandingMembers = {
  logoUrl: logoUrl
    .nullable()
    .default(null)
    .describe('Picture on the sign-in page: https (fetched by the server) or /assets/….'),
  primaryColor: color.nullable().default(null).describe('Colour of buttons and links, #rgb or #rrggbb.'),
  backgroundColor: color.nullable().default(null).describe('Colour behind the sign-in form, #rgb or #rrggbb.'),
  welcomeText: z
    .string()
    .max(500)
    .regex(/^[\P{Cc}\n\r\t]*$/u, 'must be plain text')
    .nullable()
    .default(null)
    .describe('Plain text above the sign-in form.'),
  // The exact bound is in bytes and is checked when the sheet is parsed.
  customCss: z
    .string()
    .max(customCssMaxBytes)
    .nullable()
    .default(null)
    .describe('Style sheet of the pages, at most 64 KiB; no @import, url() only /assets/… or data:image/….'),
}

function isLogoUrl(text: string): boolean {
  if (/[\s\p{Cc}\\]/u.test(text)) return false
  const base = 'https://gatehouse.invalid'
  const url = URL.parse(text, base)
  if (!url) return false
  // The parser resolves ".." and "%2e%2e" as a browser would, so a path cannot leave /assets/.
  if (text.startsWith('/')) return url.origin === base && url.pathname.startsWith('/assets/') && url.pathname.length > 8
  return /^https:\/\//i.test(text) && url.username === '' && url.password === ''
}
