// The values a form carries back unseen: CSRF token, continuation and sign-in id.

export function HiddenFields({ values }: { values: Readonly<Record<string, string | null>> }) {
  return (
    <>
      {Object.entries(values).map(([name, value]) =>
        value === null ? null : <input key={name} type="hidden" name={name} value={value} />,
      )}
    </>
  )
}
