import { fallbackLocale, isLocale, type Locale, locales } from './languages.ts'

/** No header and no parameter names more languages than fit in this; what comes after is not read. */
const maxLength = 256

/**
 * The language of a page: the one chosen, else the best of Accept-Language, else the realm's own (`defaultLocale`).
 * `supported` are the realm's `supportedLocales`; `chosen` is what the person picked, or the application's `ui_locales`,
 * the best first with spaces between.
 */
export function negotiateLocale(
  acceptLanguage: string | undefined,
  preferred: string = fallbackLocale,
  supported: readonly string[] = locales,
  chosen: string | null = null,
): Locale {
  const offered = new Set(supported.map(primaryTag).filter(isLocale))
  const wishes = [...readList(chosen ?? ''), ...readHeader(acceptLanguage ?? ''), primaryTag(preferred)]
  return wishes.filter(isLocale).find((locale) => offered.has(locale)) ?? [...offered][0] ?? fallbackLocale
}

function readList(text: string): string[] {
  return text.slice(0, maxLength).split(/[ ,]+/).map(primaryTag)
}

function readHeader(header: string): string[] {
  return header
    .slice(0, maxLength)
    .split(',')
    .map((part) => {
      const [tag = '', ...options] = part.trim().toLowerCase().split(';')
      const quality = options.find((option) => option.trim().startsWith('q='))
      return { tag: primaryTag(tag), quality: quality ? Number(quality.trim().slice(2)) || 0 : 1 }
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag)
}

/** Our catalogues serve every region of their language: `fr-CA` is answered in French. */
function primaryTag(tag: string): string {
  return tag.toLowerCase().split('-')[0] ?? ''
}
