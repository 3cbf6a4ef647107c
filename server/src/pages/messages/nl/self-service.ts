// Dutch: registration, forgotten passwords and links from mail. People are addressed with “u”.

import type { selfService as english } from '../en/self-service.ts'
import type { Texts } from '../texts.ts'

export const selfService: Texts<typeof english> = {
  'register.title': 'Maak een account aan',
  'register.subtitle': 'voor {realm}',
  'register.password': 'Wachtwoord',
  'register.confirmPassword': 'Herhaal het wachtwoord',
  'register.submit': 'Account aanmaken',
  'register.hasAccount': 'Hebt u al een account?',
  'register.signIn': 'Inloggen',

  'resetPassword.title': 'Wachtwoord vergeten?',
  'resetPassword.text':
    'Vul uw gebruikersnaam of e-mailadres in. Wij sturen u een link waarmee u een nieuw wachtwoord kiest.',
  'resetPassword.submit': 'Link sturen',
  'resetPassword.back': 'Terug naar inloggen',

  'mailSent.title': 'Kijk in uw e-mail',
  'mailSent.REGISTER':
    'Wij hebben een bericht gestuurd naar het opgegeven adres. Open de link daarin om verder te gaan.',
  'mailSent.RESET': 'Als er een account met die naam is, hebben wij een link naar het e-mailadres ervan gestuurd.',
  'mailSent.help': 'Na een paar minuten nog niets? Kijk bij de ongewenste e-mail en controleer wat u hebt ingevuld.',

  'link.MAGIC_LINK.title': 'Inloggen bij {realm}',
  'link.MAGIC_LINK.text': 'Druk op de knop om in te loggen. Hebt u niet om deze link gevraagd? Sluit dan de pagina.',
  'link.MAGIC_LINK.submit': 'Inloggen',
  'link.MAGIC_LINK.done': 'U bent ingelogd',
  'link.VERIFY_EMAIL.title': 'Bevestig uw e-mailadres voor {realm}',
  'link.VERIFY_EMAIL.text': 'Druk op de knop als dit adres van u is en u daar een account hebt.',
  'link.VERIFY_EMAIL.submit': 'Adres bevestigen',
  'link.VERIFY_EMAIL.done': 'Uw e-mailadres is bevestigd',
  'link.RESET_PASSWORD.title': 'Kies een nieuw wachtwoord voor {realm}',
  'link.RESET_PASSWORD.text':
    'Druk op de knop om verder te gaan. Hebt u niet om deze link gevraagd? Sluit dan de pagina: er is niets veranderd.',
  'link.RESET_PASSWORD.submit': 'Verder',
  'link.RESET_PASSWORD.done': 'Uw wachtwoord is gewijzigd',
  'link.ACTIONS.title': 'Er is iets te doen voor uw account bij {realm}',
  'link.ACTIONS.text': 'De beheerders vragen u dit te doen:',
  'link.ACTIONS.submit': 'Verder',
  'link.ACTIONS.done': 'Alles is klaar',
  'link.REGISTER.title': 'Rond uw registratie bij {realm} af',
  'link.REGISTER.text': 'Druk op de knop om uw e-mailadres te bevestigen en uw account te openen.',
  'link.REGISTER.submit': 'Mijn account openen',
  'link.REGISTER.done': 'Uw account is klaar',
  'link.expired.title': 'Deze link werkt niet meer',
  'link.expired.text': 'Een link werkt één keer en maar beperkte tijd. Begin opnieuw om een nieuwe te krijgen.',
  'link.otherBrowser.title': 'Open deze link in uw andere browser',
  'link.otherBrowser.text':
    'Hij hoort bij een inlogpoging die in een andere browser of op een ander apparaat begon. Open hem daar, of begin hier opnieuw.',
  'link.signIn': 'Naar inloggen',
  'link.continue': 'Verder',
  'link.close': 'U kunt deze pagina sluiten.',
}
