// German: devices that somebody enrols.

import type { devices as english } from '../en/devices.ts'
import type { Texts } from '../texts.ts'

export const devices: Texts<typeof english> = {
  'enroll.title': 'Mit Ihrer Authenticator-App öffnen',
  'enroll.text':
    'Diese Adresse fügt Ihrem Konto ein Gerät hinzu. Ein Browser kann das nicht, eine Authenticator-App auf dem Gerät schon.',
  'enroll.how':
    'Öffnen Sie die App auf Ihrem Gerät, fügen Sie dort ein Konto hinzu und scannen Sie das Bild noch einmal oder fügen Sie die ganze Adresse ein.',
  'enroll.caution':
    'Geben Sie die Adresse nie weiter: Wer sie zuerst mit einer App öffnet, kann Anmeldungen bei Ihrem Konto bestätigen.',
  'registerDevice.title': 'Gerät hinzufügen',
  'registerDevice.text': 'Künftig können Sie auf Ihrem Gerät bestätigen, dass Sie selbst sich anmelden.',
  'registerDevice.scan': 'Scannen Sie dieses Bild mit der Authenticator-App auf Ihrem Gerät.',
  'registerDevice.picture': 'QR-Code mit der Adresse, die Ihr Gerät hinzufügt',
  'registerDevice.address': 'Oder fügen Sie diese Adresse in die App ein:',
  'registerDevice.waiting': 'Diese Seite geht von selbst weiter, sobald Ihr Gerät hinzugefügt ist.',
  'registerDevice.submit': 'Mein Gerät ist hinzugefügt',
  'registerDevice.ended': 'Dieser Code gilt nicht mehr, weil anderswo ein neuer angefordert wurde.',
  'registerDevice.renew': 'Neuen Code zeigen',
}
