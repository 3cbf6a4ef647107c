// What every page needs of the settings, worked out once per snapshot instead of once per page.
import { createHash } from 'node:crypto'
import { checkCustomCss } from '../branding/index.ts'
import type { Section } from '../snapshot/index.ts'
import type { RealmSettings } from './schema.ts'
import { settingsSection } from './section.ts'

export interface RealmAppearance {
  realmId: string
  displayName: string
  /** Whether the realm has a logo. */
  logo: boolean
  welcomeText: string | null
  /** Changes with colours, custom CSS and logo; null when there are neither colours nor custom CSS. */
  themeVersion: string | null
  termsUrl: string | null
  privacyUrl: string | null
  supportEmail: string | null
  /** Whether the page's content security policy must allow `data:` images. */
  usesDataImages: boolean
}

export const lookSection: Section<RealmAppearance> = {
  name: 'look',
  async load(sources, realmId) {
    return describeLook(await settingsSection.load(sources, realmId))
  },
  // A handful of short texts; the longest is the welcome text of 500 characters.
  sizeOf: (look) => 512 + JSON.stringify(look).length * 2,
}

export function describeLook(settings: RealmSettings): RealmAppearance {
  const { realmId, displayName, logoUrl, customCss, primaryColor, backgroundColor } = settings
  const hasTheme = customCss !== null || primaryColor !== null || backgroundColor !== null
  const css = customCss === null ? null : checkCustomCss(customCss)
  return {
    realmId,
    displayName: displayName ?? realmId,
    logo: logoUrl !== null,
    welcomeText: settings.welcomeText,
    themeVersion: hasTheme ? hashTheme([logoUrl, primaryColor, backgroundColor, customCss]) : null,
    termsUrl: settings.termsUrl,
    privacyUrl: settings.privacyUrl,
    supportEmail: settings.supportEmail,
    usesDataImages: css?.ok === true && css.usesDataImages,
  }
}

function hashTheme(parts: (string | null)[]): string {
  // 12 characters of base64url are 72 bits: no two themes of a realm ever share them.
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 12)
}
