// Dutch: devices that somebody enrols.

import type { devices as english } from '../en/devices.ts'
import type { Texts } from '../texts.ts'

export const devices: Texts<typeof english> = {
  'enroll.title': 'Open dit met uw authenticator-app',
  'enroll.text':
    'Dit adres voegt een apparaat toe aan uw account. Een browser kan dat niet; een authenticator-app op het apparaat wel.',
  'enroll.how':
    'Open de app op uw apparaat, kies om een account toe te voegen en scan de afbeelding opnieuw of plak het hele adres.',
  'enroll.caution':
    'Geef het adres nooit door: wie het als eerste met een app opent, kan inlogpogingen bij uw account bevestigen.',
  'registerDevice.title': 'Een apparaat toevoegen',
  'registerDevice.text': 'Voortaan kunt u op uw apparaat bevestigen dat u het bent die inlogt.',
  'registerDevice.scan': 'Scan deze afbeelding met de authenticator-app op uw apparaat.',
  'registerDevice.picture': 'QR-code met het adres dat uw apparaat toevoegt',
  'registerDevice.address': 'Of plak dit adres in de app:',
  'registerDevice.waiting': 'Deze pagina gaat vanzelf verder zodra uw apparaat is toegevoegd.',
  'registerDevice.submit': 'Mijn apparaat is toegevoegd',
  'registerDevice.ended': 'Deze code werkt niet meer, omdat elders een nieuwe is gevraagd.',
  'registerDevice.renew': 'Een nieuwe code tonen',
}
