// German: the banner while an administrator acts as somebody.

import type { impersonation as english } from '../en/impersonation.ts'
import type { Texts } from '../texts.ts'

export const impersonation: Texts<typeof english> = {
  'impersonation.label': 'Handeln als eine andere Person',
  'impersonation.text': 'Sie handeln als {user}.',
  'impersonation.limits': 'Sie sehen, was diese Person sieht, und ändern nichts. Alles wird aufgezeichnet.',
  'impersonation.end': 'Beenden',
}
