const signs = {
  approved: 'M7 12.5l3.5 3.5L17 8.5',
  denied: 'M8 8l8 8M16 8l-8 8',
  ended: 'M12 5a7 7 0 1 1 0 14a7 7 0 1 1 0-14M12 8.5v4l2.5 1.5',
} as const

/** How something ended, as a picture. It repeats the title, so screen readers pass over it. */
export function OutcomeSign({ outcome }: { outcome: keyof typeof signs }) {
  return (
    <svg class={`gh-sign gh-sign-${outcome}`} viewBox="0 0 24 24" aria-hidden="true">
      <path d={signs[outcome]} />
    </svg>
  )
}
