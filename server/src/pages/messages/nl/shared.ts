// Dutch: the frame of every page, and the pages after a sign-in: landing, consent, sign-out, errors. People are addressed with “u”.

import type { shared as english } from '../en/shared.ts'
import type { Texts } from '../texts.ts'

export const shared: Texts<typeof english> = {
  'shell.footer': 'Beveiligd door Gatehouse',
  'shell.terms': 'Voorwaarden',
  'shell.privacy': 'Privacy',
  'shell.support': 'Hulp',
  'shell.footerLinks': 'Over deze dienst',
  'shell.languages': 'Taal',

  'landing.consoleTitle': 'Beheer',
  'landing.signedInAs': 'Ingelogd als',
  'landing.noEmail': 'Geen e-mailadres bekend',
  'landing.permissions': 'Uw rechten',
  'landing.noPermissions': 'U hebt geen beheerrechten in deze realm.',
  'landing.links': 'Handige links',
  'landing.sessionEnds': 'Uw sessie eindigt uiterlijk op {time} UTC.',
  'landing.signOut': 'Uitloggen',

  'consent.title': '{app} wil toegang tot uw account',
  'consent.published':
    'Op dit adres beschrijft de toepassing zichzelf. Niemand hier heeft haar gecontroleerd, en iedereen kan haar naam kiezen.',
  'consent.unchecked':
    'De toepassing heeft zichzelf geregistreerd. Niemand hier heeft haar gecontroleerd, en iedereen kan haar naam kiezen.',
  'consent.leadsTo': 'Uw antwoord gaat naar {host}.',
  'consent.leadsToDevice': 'Uw antwoord gaat naar een programma op dit apparaat.',
  'consent.more': 'U hebt {app} al eerder toegelaten. Nu wordt om meer gevraagd.',
  'consent.signedInAs': 'Ingelogd als',
  'consent.switch': 'Bent u dit niet? Gebruik een ander account',
  'consent.scopes': 'Waar om gevraagd wordt',
  'consent.nothing': 'De toepassing wil alleen weten dat u ingelogd bent.',
  'consent.resources': 'Wat in uw naam gebruikt wordt',
  'consent.new': 'Nieuw',
  'consent.trust': 'Sta dit alleen toe als u {app} kent en vertrouwt.',
  'consent.allow': 'Toestaan',
  'consent.deny': 'Weigeren',

  'logout.title': 'Uitloggen bij {realm}?',
  'logout.askedBy': '{app} vraagt om u uit te loggen.',
  'logout.asked': 'Een toepassing vraagt om u uit te loggen.',
  'logout.effect': 'U wordt hier uitgelogd, en in elke toepassing die u met deze inlog hebt bereikt.',
  'logout.account': 'Ingelogd als {username}',
  'logout.submit': 'Uitloggen',
  'logout.stay': 'Ingelogd blijven',

  'loggedOut.title': 'U bent uitgelogd',
  'loggedOut.ended': 'Uw sessie bij {realm} is beëindigd.',
  'loggedOut.text': 'Uw sessie bij {realm} is beëindigd. U kunt deze pagina sluiten.',
  'loggedOut.elsewhere': 'Uw sessie bij {realm} is beëindigd. De toepassingen die u gebruikte, krijgen bericht.',
  'loggedOut.frame': 'U wordt uitgelogd bij een toepassing',
  'loggedOut.continue': 'Verder naar {app}',
  'loggedOut.continueUnnamed': 'Verder',
  'loggedOut.signIn': 'Opnieuw inloggen',

  'clientError.title': 'Dit verzoek kan niet worden aangenomen',
  'clientError.reassurance':
    'De toepassing stuurde u hierheen met een verzoek dat wij niet kunnen aannemen. Met uw account is niets mis.',
  'clientError.advice':
    'Ga terug naar de toepassing en probeer het nog eens. Komt deze pagina weer? Meld het dan aan de beheerders ervan.',
  'clientError.developers': 'Voor de ontwikkelaars van de toepassing',
  'clientError.whatToDo': 'Wat te doen',
  'clientError.facts': 'Het verzoek',

  'passOn.title': 'Een ogenblik',
  'passOn.text': 'U wordt naar {app} gebracht.',
  'passOn.textUnnamed': 'U wordt naar de toepassing gebracht.',
  'passOn.help': 'Gebeurt er niets? Druk dan op de knop.',
  'passOn.continue': 'Verder',

  'error.status': 'Fout {status}',
  'error.reference': 'Kenmerk',
  'error.referenceHelp': 'Noem dit kenmerk als u om hulp vraagt.',
  'error.explained': 'Wat er gebeurde',
  'error.whatToDo': 'Wat te doen',
  'error.code': 'Code',
  'error.httpStatus': 'HTTP-status',
  'error.allCodes': 'Alle foutcodes',
  'error.indexTitle': 'Foutcodes',
  'error.indexIntro': 'Elke fout waarmee deze dienst antwoordt, draagt een van deze codes.',
  'error.causes': 'Gebruikelijke oorzaken',
  'error.answeredAt': 'Antwoord van',
  'error.standard': 'Vastgelegd in {standard}.',
  'error.indexOauth': 'OAuth en OpenID Connect',
  'error.indexOauthIntro': 'In error, waar toepassingen en apparaten om tokens vragen.',
  'error.indexApi': 'Beheer-API',
  'error.indexApiIntro': 'In code en type van een probleemdocument (RFC 9457).',
}
