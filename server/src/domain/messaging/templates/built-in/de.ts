import type { BuiltInLanguage } from './types.ts'

export const de: BuiltInLanguage = {
  linkHint: 'Falls die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:',
  footer: 'Diese Nachricht wurde automatisch von {{realm}} gesendet. Antworten werden nicht gelesen.',
  action: 'Öffnen',
  test: {
    subject: 'Testnachricht von {{realm}}',
    body: 'Dies ist eine Testnachricht von {{realm}}. Sie ist angekommen, also können Nachrichten zugestellt werden.',
  },
  templates: {
    'otp-sms': {
      subject: null,
      body: '{{code}} ist Ihr Code für {{realm}}. Er gilt {{ttl}} Minuten. Geben Sie ihn nie weiter.',
    },
    'otp-email': {
      subject: 'Ihr Code für {{realm}}',
      body: `Hallo {{user}},

geben Sie diesen Code ein, um sich bei {{realm}} anzumelden:

{{code}}

Er gilt {{ttl}} Minuten und nur einmal. Geben Sie ihn nie weiter: Niemand von {{realm}} wird danach fragen.

Wenn Sie sich gerade nicht anmelden, kennt vielleicht jemand Ihr Passwort. Ändern Sie es.`,
    },
    'magic-link-email': {
      subject: 'Anmelden bei {{realm}}',
      body: `Hallo {{user}},

mit diesem Link melden Sie sich bei {{realm}} an. Er gilt {{ttl}} Minuten und nur einmal.

{{link}}

Wenn Sie ihn nicht angefordert haben, können Sie diese Nachricht ignorieren: Ohne den Link kommt niemand hinein.`,
      action: 'Anmelden',
    },
    'verify-email': {
      subject: 'Bestätigen Sie Ihre E-Mail-Adresse für {{realm}}',
      body: `Hallo {{user}},

bitte bestätigen Sie, dass diese E-Mail-Adresse Ihnen gehört. Geben Sie diesen Code dort ein, wo Sie sich anmelden; er gilt {{ttl}} Minuten:

{{code}}

Oder verwenden Sie innerhalb eines Tages diesen Link, in einem beliebigen Browser:

{{link}}

Wenn Sie kein Konto bei {{realm}} haben, können Sie diese Nachricht ignorieren.`,
      action: 'Adresse bestätigen',
    },
    'registration-email': {
      subject: 'Schließen Sie Ihre Registrierung bei {{realm}} ab',
      body: `Hallo {{user}},

Sie registrieren sich bei {{realm}}. Verwenden Sie innerhalb eines Tages diesen Link, um das abzuschließen; ab dann besteht Ihr Konto.

{{link}}

Wenn Sie das nicht waren, können Sie diese Nachricht ignorieren: Ohne den Link entsteht kein Konto.`,
      action: 'Registrierung abschließen',
    },
    'reset-password-email': {
      subject: 'Wählen Sie ein neues Passwort für {{realm}}',
      body: `Hallo {{user}},

jemand hat darum gebeten, das Passwort Ihres Kontos bei {{realm}} zurückzusetzen. Der Link gilt {{ttl}} Minuten und nur einmal.

{{link}}

Wenn Sie das nicht waren, können Sie diese Nachricht ignorieren: Ihr Passwort bleibt, wie es ist.`,
      action: 'Neues Passwort wählen',
    },
    'invite-email': {
      subject: 'Sie sind zu {{realm}} eingeladen',
      body: `Hallo {{user}},

Sie wurden zu {{realm}} eingeladen. Folgen Sie dem Link, um Ihr Konto einzurichten. Er gilt {{ttl}} Minuten.

{{link}}

Wenn Sie das nicht erwartet haben, können Sie diese Nachricht ignorieren.`,
      action: 'Einladung annehmen',
    },
    'impersonation-notice-email': {
      subject: 'Jemand aus der Administration hat Ihr Konto bei {{realm}} benutzt',
      body: `Hallo {{user}},

am {{time}} hat jemand aus der Administration von {{realm}} begonnen, in Ihrem Namen zu handeln, zum Beispiel um bei einem Problem zu helfen. Es ist festgehalten, wer das war und was getan wurde.

Wenn Sie den Grund nicht kennen, fragen Sie bitte die Administration von {{realm}}.`,
    },
    'new-device-email': {
      subject: 'Neue Anmeldung an Ihrem Konto bei {{realm}}',
      body: `Hallo {{user}},

am {{time}} hat sich jemand mit einem bisher nicht benutzten Gerät an Ihrem Konto bei {{realm}} angemeldet.

Wenn Sie das waren, ist nichts zu tun. Wenn nicht, ändern Sie jetzt Ihr Passwort und beenden Sie alle Ihre Sitzungen.`,
    },
    'account-exists-email': {
      subject: 'Sie haben bereits ein Konto bei {{realm}}',
      body: `Hallo {{user}},

jemand wollte sich mit dieser E-Mail-Adresse bei {{realm}} registrieren. Sie haben bereits ein Konto, deshalb wurde kein neues angelegt.

Wenn Sie das waren, melden Sie sich einfach an. Haben Sie Ihr Passwort vergessen, können Sie dort ein neues wählen.

Wenn es jemand anderes war, ist nichts zu tun: Die Person hat nicht erfahren, dass Sie ein Konto haben.`,
    },
    'approval-email': {
      subject: 'Eine Anwendung bittet um Ihre Zustimmung bei {{realm}}',
      body: `Hallo {{user}},

{{client}} bittet Sie zu bestätigen, dass Sie fortfahren möchten. Die Anfrage gilt {{ttl}} Minuten.

{{message}}

{{link}}

Stimmen Sie nur zu, wenn Sie dies selbst begonnen haben. Stehen Worte über dem Link, müssen es dieselben sein, die Ihnen die Anwendung zeigt. Lehnen Sie im Zweifel ab oder ignorieren Sie diese Nachricht: Dann geschieht nichts.`,
      action: 'Anfrage ansehen',
    },
    'approval-push': {
      subject: '{{realm}}',
      body: 'Möchten Sie sich als {{user}} anmelden? Öffnen Sie die App, um zu antworten.',
    },
    'account-change-email': {
      subject: 'Ihr Konto bei {{realm}} wurde geändert',
      body: `Hallo {{user}},

{{change}}

Wann: {{time}}
Von: {{place}}

Waren Sie das, ist nichts zu tun. Wenn nicht, ist vielleicht jemand anderes in Ihrem Konto: Wählen Sie ein neues Passwort, beenden Sie alle anderen Sitzungen und sagen Sie der Verwaltung von {{realm}} Bescheid.

{{link}}`,
      action: 'Konto öffnen',
    },
    'confirm-address-email': {
      subject: 'Bestätigen Sie Ihre neue E-Mail-Adresse für {{realm}}',
      body: `Hallo {{user}},

diese Adresse wurde für ein Konto bei {{realm}} eingetragen. Bitte bestätigen Sie innerhalb eines Tages, dass sie Ihnen gehört:

{{link}}

Wenn Sie kein Konto bei {{realm}} haben, können Sie diese Nachricht ignorieren.`,
      action: 'Adresse bestätigen',
    },
  },
}
