// A form that waits for another device: the script sends it when there is something to see, and its button always can.

import type { ComponentChildren } from 'preact'
import { translate } from '../messages/index.ts'
import { StepForm, type StepFrame } from './frame.tsx'

interface WaitFormProps {
  frame: StepFrame
  /** What the button says. */
  label?: string
  children?: ComponentChildren
}

export function WaitForm({ frame, label, children }: WaitFormProps) {
  const { action, signInId, locale } = frame
  const data = {
    'data-wait': `${action}/waiting?signIn=${encodeURIComponent(signInId ?? '')}`,
    'data-wait-seconds': String(frame.pollSeconds ?? 2),
  } as const
  return (
    <StepForm frame={frame} data={data}>
      {children}
      <button class="gh-button" type="submit">
        {label ?? translate(locale, 'wait.continue')}
      </button>
    </StepForm>
  )
}
