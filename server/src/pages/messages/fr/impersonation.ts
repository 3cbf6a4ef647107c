// French: the banner while an administrator acts as somebody.

import type { impersonation as english } from '../en/impersonation.ts'
import type { Texts } from '../texts.ts'

export const impersonation: Texts<typeof english> = {
  'impersonation.label': 'Agir au nom d’une autre personne',
  'impersonation.text': 'Vous agissez en tant que {user}.',
  'impersonation.limits': 'Vous voyez ce que voit cette personne et ne changez rien. Tout est enregistré.',
  'impersonation.end': 'Arrêter',
}
