// The offer not to ask this browser for a second factor for a while.

import { Check } from '../components/index.ts'
import { formatDays, translate } from '../messages/index.ts'
import type { StepFrame } from './frame.tsx'

export function TrustDevice({ frame: { locale }, days }: { frame: StepFrame; days: number }) {
  if (days <= 0) return null
  return <Check name="trustDevice" label={translate(locale, 'step.trustDevice', { days: formatDays(locale, days) })} />
}
