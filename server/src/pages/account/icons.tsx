// Small pictures beside words that say the same, so screen readers pass over them. Drawn with the colour of the text.

const paths = {
  overview: 'M4 11.5 12 5l8 6.5M6.500 10v9h4v-5h3v5h4v-9',
  personal: 'M12 12a4 4 0 1 0 0-8a4 4 0 1 0 0 8M4.500 20.500c.6-4 3.600-6 7.500-6s6.900 2 7.500 6',
  security: 'M12 3.500 5 6v5.500c0 4.500 2.900 7.500 7 9c4.100-1.500 7-4.500 7-9V6zM9 12l2.200 2.200L15.200 10',
  places: 'M3.500 5.500h13v9h-13zM1.500 18h11M15.500 11h6v8.500h-6z',
  apps: 'M4.500 4.500h6v6h-6zM13.500 4.500h6v6h-6zM4.500 13.500h6v6h-6zM13.500 13.500h6v6h-6z',
  privacy: 'M6 10.500h12v9.500H6zM8.500 10.500V8a3.500 3.500 0 0 1 7 0v2.500M12 14v2.500',
  console: 'M4 6h16M4 12h16M4 18h16M9 4v4M15 10v4M8 16v4',
  passkey:
    'M9 11.500a3.500 3.500 0 1 0 0-7a3.500 3.500 0 1 0 0 7M3 19c.5-3.400 2.800-5 6-5c1 0 2 .2 2.800.5M17 13a2.500 2.500 0 1 0 0-5a2.500 2.500 0 1 0 0 5v7l2-1.500l-1.300-1.500l1.300-1.500',
  key: 'M8 15.500a4 4 0 1 0 0-8a4 4 0 1 0 0 8M11.800 11.500H21v3M17.500 11.500v2.500',
  totp: 'M7.500 3.500h9v17h-9zM10.500 17.500h3M10 8h4M10 11h4',
  password: 'M3.500 8.500h17v7h-17zM7 12h.01M10.500 12h.01M14 12h.01M17.500 12h.01',
  recovery: 'M5 4.500h14v15H5zM8.500 9h7M8.500 12.500h7M8.500 16h4',
  browser: 'M3.500 5h17v14h-17zM3.500 9h17M6 7h.01M8.500 7h.01',
  phone: 'M7.500 3.500h9v17h-9zM11 17.500h2',
  alert: 'M12 4 2.800 19.500h18.400zM12 10v4.500M12 17h.01',
  done: 'M5.500 12.500l4 4L18.500 7.500',
  app: 'M5 5h14v14H5zM5 9.500h14M9.500 13h5',
  event: 'M12 5a7 7 0 1 0 0 14a7 7 0 1 0 0-14M12 8.500V12l2.500 1.500',
} as const

export type IconName = keyof typeof paths

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="gh-icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}
