/** One thing that was looked at. `null`: it could not be looked at, or is only worth knowing. */
export interface Check {
  name: string
  ok: boolean | null
  text: string
  /** What to do about it. */
  remedy?: string
}

export const pass = (name: string, text: string): Check => ({ name, ok: true, text })
export const note = (name: string, text: string, remedy?: string): Check => ({
  name,
  ok: null,
  text,
  ...(remedy === undefined ? {} : { remedy }),
})
export const fail = (name: string, text: string, remedy?: string): Check => ({
  name,
  ok: false,
  text,
  ...(remedy === undefined ? {} : { remedy }),
})

/** Passes or fails with a text for each. */
export function judge(name: string, ok: boolean, texts: { good: string; bad: string; remedy?: string }): Check {
  return ok ? pass(name, texts.good) : fail(name, texts.bad, texts.remedy)
}
