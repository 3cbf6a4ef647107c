/** The same messages in another language: every key of the English part, no other. */
export type Texts<English> = Readonly<Record<keyof English, string>>
