/** What a notice can be about. */
export type AccountChange =
  | 'PASSWORD'
  | 'EMAIL'
  | 'PHONE'
  | 'PROFILE'
  | 'FACTOR_ADDED'
  | 'FACTOR_REMOVED'
  | 'DEVICE_ADDED'
  | 'DEVICE_REMOVED'
  | 'SESSION_ENDED'
  | 'CONSENT_REVOKED'
  | 'ACCOUNT_DELETED'

export interface NoticeWords {
  changes: Readonly<Record<AccountChange, string>>
  agent(browser: string, system: string): string
  unknown: string
  administrator: string
  service: string
}

const en: NoticeWords = {
  changes: {
    PASSWORD: 'Your password was changed.',
    EMAIL: 'The e-mail address of your account was changed.',
    PHONE: 'The telephone number of your account was changed.',
    PROFILE: 'Your profile was changed.',
    FACTOR_ADDED: 'A way to sign in was added to your account.',
    FACTOR_REMOVED: 'A way to sign in was removed from your account.',
    DEVICE_ADDED: 'A device was added to your account.',
    DEVICE_REMOVED: 'A device was removed from your account.',
    SESSION_ENDED: 'Sessions of your account were ended.',
    CONSENT_REVOKED: 'What an application was allowed to do with your account was taken back.',
    ACCOUNT_DELETED: 'Your account was deleted, with everything that belonged to it.',
  },
  agent: (browser, system) => `${browser} on ${system}`,
  unknown: 'unknown',
  administrator: 'an administrator',
  service: 'the service itself',
}

const de: NoticeWords = {
  changes: {
    PASSWORD: 'Ihr Passwort wurde geändert.',
    EMAIL: 'Die E-Mail-Adresse Ihres Kontos wurde geändert.',
    PHONE: 'Die Telefonnummer Ihres Kontos wurde geändert.',
    PROFILE: 'Ihr Profil wurde geändert.',
    FACTOR_ADDED: 'Ihrem Konto wurde eine Anmeldemöglichkeit hinzugefügt.',
    FACTOR_REMOVED: 'Aus Ihrem Konto wurde eine Anmeldemöglichkeit entfernt.',
    DEVICE_ADDED: 'Ihrem Konto wurde ein Gerät hinzugefügt.',
    DEVICE_REMOVED: 'Aus Ihrem Konto wurde ein Gerät entfernt.',
    SESSION_ENDED: 'Sitzungen Ihres Kontos wurden beendet.',
    CONSENT_REVOKED: 'Was eine Anwendung mit Ihrem Konto tun durfte, wurde zurückgenommen.',
    ACCOUNT_DELETED: 'Ihr Konto wurde gelöscht, mit allem, was dazu gehörte.',
  },
  agent: (browser, system) => `${browser} auf ${system}`,
  unknown: 'unbekannt',
  administrator: 'die Verwaltung',
  service: 'der Dienst selbst',
}

const fr: NoticeWords = {
  changes: {
    PASSWORD: 'Votre mot de passe a été modifié.',
    EMAIL: 'L’adresse e-mail de votre compte a été modifiée.',
    PHONE: 'Le numéro de téléphone de votre compte a été modifié.',
    PROFILE: 'Votre profil a été modifié.',
    FACTOR_ADDED: 'Un moyen de connexion a été ajouté à votre compte.',
    FACTOR_REMOVED: 'Un moyen de connexion a été supprimé de votre compte.',
    DEVICE_ADDED: 'Un appareil a été ajouté à votre compte.',
    DEVICE_REMOVED: 'Un appareil a été retiré de votre compte.',
    SESSION_ENDED: 'Des sessions de votre compte ont été terminées.',
    CONSENT_REVOKED: 'Ce qu’une application pouvait faire avec votre compte a été retiré.',
    ACCOUNT_DELETED: 'Votre compte a été supprimé, avec tout ce qui s’y rattachait.',
  },
  agent: (browser, system) => `${browser} sur ${system}`,
  unknown: 'inconnu',
  administrator: 'un administrateur',
  service: 'le service lui-même',
}

const nl: NoticeWords = {
  changes: {
    PASSWORD: 'Uw wachtwoord is gewijzigd.',
    EMAIL: 'Het e-mailadres van uw account is gewijzigd.',
    PHONE: 'Het telefoonnummer van uw account is gewijzigd.',
    PROFILE: 'Uw profiel is gewijzigd.',
    FACTOR_ADDED: 'Er is een manier om in te loggen aan uw account toegevoegd.',
    FACTOR_REMOVED: 'Er is een manier om in te loggen uit uw account verwijderd.',
    DEVICE_ADDED: 'Er is een apparaat aan uw account toegevoegd.',
    DEVICE_REMOVED: 'Er is een apparaat uit uw account verwijderd.',
    SESSION_ENDED: 'Er zijn sessies van uw account beëindigd.',
    CONSENT_REVOKED: 'Wat een toepassing met uw account mocht doen, is ingetrokken.',
    ACCOUNT_DELETED: 'Uw account is verwijderd, met alles wat erbij hoorde.',
  },
  agent: (browser, system) => `${browser} op ${system}`,
  unknown: 'onbekend',
  administrator: 'een beheerder',
  service: 'de dienst zelf',
}

const languages: Readonly<Record<string, NoticeWords>> = { en, de, fr, nl }

/** The person's language, then the realm's, then English: the order in which the mail's own text is chosen. */
export function chooseWords(personLocale: string | null, realmLocale: string): NoticeWords {
  const tags = [personLocale, realmLocale].map((locale) => locale?.split('-')[0]!.toLowerCase() ?? '')
  const tag = tags.find((each) => Object.hasOwn(languages, each))
  return tag === undefined ? en : languages[tag]!
}
