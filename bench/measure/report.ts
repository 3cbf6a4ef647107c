import { loadavg } from 'node:os'

export interface Line {
  what: string
  figure: string
  /** What the figure must be; empty for figures that are only told. */
  must: string
  ok: boolean
}

export interface Report {
  lines: Line[]
  tell(what: string, figure: string): void
  check(what: string, figure: string, must: string, ok: boolean): void
}

/** Collects the lines and prints each as soon as it is known. */
export function createReport(): Report {
  const lines: Line[] = []
  const add = (line: Line) => {
    lines.push(line)
    const verdict = line.must === '' ? '    ' : line.ok ? 'PASS' : 'FAIL'
    console.log(`${verdict}  ${line.what.padEnd(62)} ${line.figure.padStart(30)}   ${line.must}`)
  }
  return {
    lines,
    tell: (what, figure) => add({ what, figure, must: '', ok: true }),
    check: (what, figure, must, ok) => add({ what, figure, must, ok }),
  }
}

export const loadAverage = () =>
  loadavg()
    .map((load) => load.toFixed(1))
    .join(' ')

/** The value below which this part of the values lies. */
export function quantile(values: number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

export const median = (values: number[]) => quantile(values, 0.5)
export const ms = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`
