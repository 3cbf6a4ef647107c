// One labelled input with its error beside it, tied together for screen readers.

export interface FieldProps {
  name: string
  label: string
  /** `code` is one we sent or an app made; `user-code` the one another device shows (RFC 8628). */
  type: 'text' | 'password' | 'email' | 'tel' | 'code' | 'user-code'
  autocomplete: string
  value?: string
  error?: string | null
  /** Marks the field wrong without a message of its own, when one message speaks for two fields. */
  invalid?: boolean
  /** How to fill it in, below the label. */
  hint?: string
  /** Ids of further texts that describe the field. */
  describedBy?: string[]
  autofocus?: boolean
  required?: boolean
}

export function Field(props: FieldProps) {
  const { name, label, autocomplete, value, error = null, autofocus = false, describedBy = [] } = props
  const errorId = `${name}-error`
  const hintId = `${name}-hint`
  const descriptions = [...(error ? [errorId] : []), ...(props.hint ? [hintId] : []), ...describedBy]
  const invalid = props.invalid === true || error !== null
  const attributes = {
    class: inputClasses[props.type] ?? 'gh-input',
    id: name,
    name,
    value,
    autocomplete,
    autocapitalize: props.type === 'user-code' ? 'characters' : 'none',
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
      {props.hint && (
        <p class="gh-hint" id={hintId}>
          {props.hint}
        </p>
      )}
      <input {...typeAttributes(props.type, autocomplete)} {...attributes} />
      {error && <FieldError id={errorId} message={error} />}
    </div>
  )
}

const inputClasses: Partial<Record<FieldProps['type'], string>> = {
  code: 'gh-input gh-input-code',
  'user-code': 'gh-input gh-input-code gh-input-user-code',
}

export function FieldError({ id, message }: { id: string; message: string }) {
  return (
    <p class="gh-field-error" id={id} role="alert">
      <bdi>{message}</bdi>
    </p>
  )
}

/** Eight letters with a space between each are 15; the rest is room for a slip. */
export const maxUserCodeLength = 32

/** A number field would drop leading zeros, so a code is text with the keyboard of numbers. */
function typeAttributes(type: FieldProps['type'], autocomplete: string) {
  if (type === 'password') return { type } as const
  if (type === 'email') return { type, inputmode: 'email', dir: 'auto' } as const
  if (type === 'tel') return { type, inputmode: 'tel', dir: 'ltr' } as const
  if (type === 'user-code')
    return { type: 'text', inputmode: 'text', dir: 'ltr', maxlength: maxUserCodeLength } as const
  if (type === 'code') {
    const inputmode = autocomplete === 'one-time-code' ? ({ inputmode: 'numeric' } as const) : {}
    return { type: 'text', dir: 'ltr', ...inputmode } as const
  }
  return { type: 'text', dir: 'auto' } as const
}
