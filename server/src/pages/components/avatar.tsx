// A disc with the first sign of a name. It repeats what stands beside it, so screen readers pass over it.

export function Avatar({ name }: { name: string }) {
  return (
    <span class="gh-avatar" aria-hidden="true">
      {firstLetter(name)}
    </span>
  )
}

// The first whole character as people see it, so that a name in any script gives one sign.
function firstLetter(name: string): string {
  const [first] = new Intl.Segmenter().segment(name.trim())
  return (first?.segment ?? '?').toLocaleUpperCase()
}
