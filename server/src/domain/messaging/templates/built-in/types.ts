import type { TemplateKey } from '../keys.ts'

export interface BuiltInText {
  subject: string | null
  /** Paragraphs between empty lines. One that is only {{link}} becomes a button, one that is only {{code}} is set large. */
  body: string
  /** What the button says. */
  action?: string
}

/** A language is one file beside this one and one line in index.ts. */
export interface BuiltInLanguage {
  templates: Readonly<Record<TemplateKey, BuiltInText>>
  test: BuiltInText
  /** Above the address of a button, for mail programs that show no buttons. */
  linkHint: string
  footer: string
  /** The button of a template that has no words of its own for it. */
  action: string
}
