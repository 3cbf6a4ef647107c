// One labelled input with its error beside it, tied together for screen readers.

export interface FieldProps {
  name: string
  label: string
  type: 'text' | 'password'
  autocomplete: string
  value?: string
  error?: string | null
  /** Marks the field wrong without a message of its own, when one message speaks for two fields. */
  invalid?: boolean
  /** Ids of further texts that describe the field. */
  describedBy?: string[]
  autofocus?: boolean
}

export function Field(props: FieldProps) {
  const { name, label, type, autocomplete, value, error = null, autofocus = false, describedBy = [] } = props
  const errorId = `${name}-error`
  const descriptions = error ? [errorId, ...describedBy] : describedBy
  const invalid = props.invalid === true || error !== null
  const attributes = {
    class: 'gh-input',
    id: name,
    name,
    value,
    autocomplete,
    autocapitalize: 'none',
    spellcheck: false,
    required: true,
    autofocus,
    'aria-invalid': invalid ? 'true' : undefined,
    'aria-describedby': descriptions.length > 0 ? descriptions.join(' ') : undefined,
  } as const
  return (
    <div class="gh-field">
      <label class="gh-label" for={name}>
        {label}
      </label>
      {type === 'password' ? (
        <input type="password" {...attributes} />
      ) : (
        <input type="text" dir="auto" {...attributes} />
      )}
      {error && (
        <p class="gh-field-error" id={errorId} role="alert">
          <bdi>{error}</bdi>
        </p>
      )}
    </div>
  )
}
