const units: [seconds: number, name: string][] = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
  [1, 's'],
]

/** A span in its largest unit, as people say it: 4 min, 2 h. */
export function describeSpan(seconds: number): string {
  const [size, name] = units.find(([least]) => Math.abs(seconds) >= least) ?? units.at(-1)!
  return `${Math.floor(Math.abs(seconds) / size)} ${name}`
}

/** `in 4 min`, `2 h ago`, `now`. */
export function describeDistance(atSeconds: number, nowMs: number): string {
  const away = atSeconds - Math.floor(nowMs / 1000)
  if (away === 0) return 'now'
  return away > 0 ? `in ${describeSpan(away)}` : `${describeSpan(away)} ago`
}

// The last second of the year 9999; what lies beyond is no time anybody meant.
const maxSeconds = 253_402_300_799

export function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= maxSeconds
}

export function describeTime(atSeconds: number, nowMs: number): string {
  const text = new Date(atSeconds * 1000).toISOString().replace('T', ' ').slice(0, 19)
  return `${text} UTC (${describeDistance(atSeconds, nowMs)})`
}
