// Dutch: the banner while an administrator acts as somebody.

import type { impersonation as english } from '../en/impersonation.ts'
import type { Texts } from '../texts.ts'

export const impersonation: Texts<typeof english> = {
  'impersonation.label': 'Handelen als iemand anders',
  'impersonation.text': 'U handelt als {user}.',
  'impersonation.limits': 'U ziet wat deze persoon ziet en verandert niets. Alles wordt vastgelegd.',
  'impersonation.end': 'Stoppen',
}
