// The realms the page states belong to. `fill` replaces each text that comes from outside, for the injection sweep.

import type { RealmLook } from '../../src/pages/index.ts'

export type Fill = (benign: string) => string

export const keep: Fill = (benign) => benign

export interface Looks {
  plain: RealmLook
  branded: RealmLook
}

export function buildRealm(fill: Fill = keep, overrides: Partial<RealmLook> = {}): RealmLook {
  return {
    realmId: fill('acme'),
    displayName: fill('Acme'),
    logo: false,
    welcomeText: null,
    themeVersion: null,
    ...overrides,
  }
}

export function buildBrandedRealm(fill: Fill = keep): RealmLook {
  return buildRealm(fill, {
    displayName: fill('Northwind Traders'),
    logo: true,
    welcomeText: fill('Welcome to the partner portal.\nUse the account your manager gave you.'),
    themeVersion: fill('7'),
    termsUrl: fill('https://northwind.example/terms'),
    privacyUrl: fill('https://northwind.example/privacy'),
    supportEmail: fill('help@northwind.example'),
    languages: [
      { locale: 'en', href: fill('?lang=en') },
      { locale: 'nl', href: fill('?lang=nl') },
      { locale: 'de', href: fill('?lang=de') },
      { locale: 'fr', href: fill('/realms/northwind/login?lang=fr') },
    ],
  })
}
