// A checkbox with its label, sent as `true`, and its error beside it.

import { FieldError } from './field.tsx'

export interface CheckProps {
  name: string
  label: string
  checked?: boolean
  required?: boolean
  error?: string | null
  /** Where the cursor goes; a box with an error takes it unless this says otherwise. */
  autofocus?: boolean
}

export function Check({ name, label, checked = false, required = false, error = null, ...props }: CheckProps) {
  const errorId = `${name}-error`
  return (
    <div class="gh-field">
      <label class="gh-check">
        <input
          type="checkbox"
          name={name}
          value="true"
          checked={checked}
          required={required}
          autofocus={error !== null && props.autofocus !== false}
          aria-invalid={error === null ? undefined : 'true'}
          aria-describedby={error === null ? undefined : errorId}
        />
        <span>{label}</span>
      </label>
      {error && <FieldError id={errorId} message={error} />}
    </div>
  )
}
