import type { BuiltInLanguage } from './types.ts'

export const nl: BuiltInLanguage = {
  linkHint: 'Werkt de knop niet? Kopieer dan dit adres naar uw browser:',
  footer: 'Dit bericht is automatisch verstuurd door {{realm}}. Antwoorden worden niet gelezen.',
  action: 'Openen',
  test: {
    subject: 'Testbericht van {{realm}}',
    body: 'Dit is een testbericht van {{realm}}. Het is aangekomen, dus berichten kunnen worden bezorgd.',
  },
  templates: {
    'otp-sms': {
      subject: null,
      body: '{{code}} is uw code voor {{realm}}. De code is {{ttl}} minuten geldig. Deel hem met niemand.',
    },
    'otp-email': {
      subject: 'Uw code voor {{realm}}',
      body: `Hallo {{user}},

Voer deze code in om in te loggen bij {{realm}}:

{{code}}

De code is {{ttl}} minuten geldig en werkt één keer. Deel hem met niemand: niemand van {{realm}} zal erom vragen.

Bent u nu niet aan het inloggen? Dan kent iemand misschien uw wachtwoord. Wijzig het.`,
    },
    'magic-link-email': {
      subject: 'Inloggen bij {{realm}}',
      body: `Hallo {{user}},

Gebruik deze link om in te loggen bij {{realm}}. De link is {{ttl}} minuten geldig en werkt één keer.

{{link}}

Hebt u hier niet om gevraagd? Dan kunt u dit bericht negeren: zonder de link komt niemand binnen.`,
      action: 'Inloggen',
    },
    'verify-email': {
      subject: 'Bevestig uw e-mailadres voor {{realm}}',
      body: `Hallo {{user}},

Bevestig dat dit e-mailadres van u is. Vul deze code in waar u inlogt; ze is {{ttl}} minuten geldig:

{{code}}

Of gebruik binnen een dag deze link, in welke browser dan ook:

{{link}}

Hebt u geen account bij {{realm}}? Dan kunt u dit bericht negeren.`,
      action: 'Adres bevestigen',
    },
    'registration-email': {
      subject: 'Voltooi uw registratie bij {{realm}}',
      body: `Hallo {{user}},

U registreert zich bij {{realm}}. Gebruik binnen een dag deze link om dat te voltooien; vanaf dan bestaat uw account.

{{link}}

Was u dit niet? Dan kunt u dit bericht negeren: zonder de link komt er geen account.`,
      action: 'Registratie voltooien',
    },
    'reset-password-email': {
      subject: 'Kies een nieuw wachtwoord voor {{realm}}',
      body: `Hallo {{user}},

Iemand heeft gevraagd om het wachtwoord van uw account bij {{realm}} opnieuw in te stellen. De link is {{ttl}} minuten geldig en werkt één keer.

{{link}}

Was u dat niet? Dan kunt u dit bericht negeren: uw wachtwoord blijft zoals het is.`,
      action: 'Nieuw wachtwoord kiezen',
    },
    'invite-email': {
      subject: 'U bent uitgenodigd voor {{realm}}',
      body: `Hallo {{user}},

U bent uitgenodigd voor {{realm}}. Volg de link om uw account in te stellen. De link is {{ttl}} minuten geldig.

{{link}}

Verwachtte u dit niet? Dan kunt u dit bericht negeren.`,
      action: 'Uitnodiging aannemen',
    },
    'impersonation-notice-email': {
      subject: 'Een beheerder heeft uw account bij {{realm}} gebruikt',
      body: `Hallo {{user}},

Op {{time}} is een beheerder van {{realm}} namens u gaan werken, bijvoorbeeld om te helpen bij een probleem. Vastgelegd is wie dat was en wat die persoon deed.

Weet u niet waarom? Vraag het dan aan de beheerders van {{realm}}.`,
    },
    'new-device-email': {
      subject: 'Nieuwe aanmelding bij uw account van {{realm}}',
      body: `Hallo {{user}},

Op {{time}} is op uw account bij {{realm}} ingelogd vanaf een apparaat dat niet eerder werd gebruikt.

Was u dat? Dan hoeft u niets te doen. Zo niet, wijzig dan nu uw wachtwoord en beëindig al uw sessies.`,
    },
    'account-exists-email': {
      subject: 'U hebt al een account bij {{realm}}',
      body: `Hallo {{user}},

Iemand probeerde zich met dit e-mailadres te registreren bij {{realm}}. U hebt al een account, dus er is geen nieuw account gemaakt.

Was u dat? Log dan gewoon in. Bent u uw wachtwoord vergeten, dan kunt u daar een nieuw kiezen.

Was het iemand anders? Dan hoeft u niets te doen: die persoon heeft niet te horen gekregen dat u een account hebt.`,
    },
    'approval-email': {
      subject: 'Een toepassing vraagt om uw toestemming bij {{realm}}',
      body: `Hallo {{user}},

{{client}} vraagt u te bevestigen dat u verder wilt gaan. Het verzoek is {{ttl}} minuten geldig.

{{message}}

{{link}}

Keur het alleen goed als u dit zelf bent begonnen. Staan er woorden boven de link, dan moeten dat dezelfde zijn als die de toepassing u laat zien. Weiger het bij twijfel of negeer dit bericht: dan gebeurt er niets.`,
      action: 'Verzoek bekijken',
    },
    'approval-push': { subject: '{{realm}}', body: 'Wilt u inloggen als {{user}}? Open de app om te antwoorden.' },
    'account-change-email': {
      subject: 'Uw account bij {{realm}} is gewijzigd',
      body: `Hallo {{user}},

{{change}}

Wanneer: {{time}}
Vanaf: {{place}}

Was u dit, dan hoeft u niets te doen. Zo niet, dan is er misschien iemand anders in uw account: kies een nieuw wachtwoord, beëindig alle andere sessies en waarschuw de beheerders van {{realm}}.

{{link}}`,
      action: 'Account openen',
    },
    'confirm-address-email': {
      subject: 'Bevestig uw nieuwe e-mailadres voor {{realm}}',
      body: `Hallo {{user}},

Dit adres is ingevoerd voor een account bij {{realm}}. Bevestig binnen een dag dat het van u is:

{{link}}

Hebt u geen account bij {{realm}}, dan kunt u dit bericht negeren.`,
      action: 'Adres bevestigen',
    },
  },
}
