// French: devices that somebody enrols.

import type { devices as english } from '../en/devices.ts'
import type { Texts } from '../texts.ts'

export const devices: Texts<typeof english> = {
  'enroll.title': 'Ouvrez ceci avec votre application d’authentification',
  'enroll.text':
    'Cette adresse ajoute un appareil à votre compte. Un navigateur ne peut pas le faire ; une application d’authentification sur l’appareil le peut.',
  'enroll.how':
    'Ouvrez l’application sur votre appareil, choisissez d’ajouter un compte, puis scannez de nouveau l’image ou collez l’adresse entière.',
  'enroll.caution':
    'Ne transmettez jamais cette adresse : la première personne qui l’ouvre avec une application peut confirmer des connexions à votre compte.',
  'registerDevice.title': 'Ajoutez un appareil',
  'registerDevice.text': 'Désormais, vous pourrez confirmer sur votre appareil que c’est bien vous qui vous connectez.',
  'registerDevice.scan': 'Scannez cette image avec l’application d’authentification de votre appareil.',
  'registerDevice.picture': 'Code QR contenant l’adresse qui ajoute votre appareil',
  'registerDevice.address': 'Ou collez cette adresse dans l’application :',
  'registerDevice.waiting': 'Cette page continue d’elle-même dès que votre appareil est ajouté.',
  'registerDevice.submit': 'Mon appareil est ajouté',
  'registerDevice.ended': 'Ce code n’est plus valable, car un nouveau a été demandé ailleurs.',
  'registerDevice.renew': 'Afficher un nouveau code',
}
