// One labelled input with its error beside it, tied together for screen readers.

export interface FieldProps {
  name: string
  label: string
  type: 'text' | 'password' | 'email' | 'tel' | 'code'
  autocomplete: string
  value?: string
  error?: string | null
  /** Marks the field wrong without a message of its own, when one message speaks for two fields. */
  invalid?: boolean
  /** Ids of further texts that describe the field. */
  describedBy?: string[]
  autofocus?: boolean
  required?: boolean
}

export function Field(props: FieldProps) {
  const { name, label, autocomplete, value, error = null, autofocus = false, describedBy = [] } = props
  const errorId = `${name}-error`
  const descriptions = error ? [errorId, ...describedBy] : describedBy
  const invalid = props.invalid === true || error !== null
  const attributes = {
    class: props.type === 'code' ? 'gh-input gh-input-code' : 'gh-input',
    id: name,
    name,
    value,
    autocomplete,
    autocapitalize: 'none',
    spellcheck: false,
    required: props.required !== false,
    autofocus,
    'aria-invalid': invalid ? 'true' : undefined,
    'aria-describedby': descriptions.length > 0 ? descriptions.join(' ') : undefined,
  } as const
  return (
    <div class="gh-field">
      <label class="gh-label" for={name}>
        {label}
      </label>
      <input {...typeAttributes(props.type, autocomplete)} {...attributes} />
      {error && <FieldError id={errorId} message={error} />}
    </div>
  )
}

export function FieldError({ id, message }: { id: string; message: string }) {
  return (
    <p class="gh-field-error" id={id} role="alert">
      <bdi>{message}</bdi>
    </p>
  )
}

/** A number field would drop leading zeros, so a code is text with the keyboard of numbers. */
function typeAttributes(type: FieldProps['type'], autocomplete: string) {
  if (type === 'password') return { type } as const
  if (type === 'email') return { type, inputmode: 'email', dir: 'auto' } as const
  if (type === 'tel') return { type, inputmode: 'tel', dir: 'ltr' } as const
  if (type === 'code') {
    const inputmode = autocomplete === 'one-time-code' ? ({ inputmode: 'numeric' } as const) : {}
    return { type: 'text', dir: 'ltr', ...inputmode } as const
  }
  return { type: 'text', dir: 'auto' } as const
}
