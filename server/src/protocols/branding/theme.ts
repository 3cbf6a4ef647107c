// A realm's style sheet as it is served, rendered once per snapshot: parsing custom CSS is too dear for every request.
import { createHash } from 'node:crypto'
import { settingsSection } from '../../domain/settings/index.ts'
import type { Section } from '../../domain/snapshot/index.ts'
import { renderThemeCss } from '../../pages/index.ts'

export interface Theme {
  css: string
  etag: string
}

export const themeSection: Section<Theme> = {
  name: 'theme',
  async load(sources, realmId) {
    const css = renderThemeCss(await settingsSection.load(sources, realmId))
    return { css, etag: contentTag(css) }
  },
  // Two bytes a character is the most that the engine keeps.
  sizeOf: (theme) => 256 + theme.css.length * 2,
}

export function contentTag(content: string | Buffer): string {
  // 22 characters of base64url are 132 bits, far more than two versions of one file need to be told apart.
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
}
