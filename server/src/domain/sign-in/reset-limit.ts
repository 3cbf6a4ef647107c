import { defineLimiter } from '../../platform/limits/index.ts'

/** Mails about a forgotten password to one person, whoever asks for them (contract 5.7). */
export const resetLimit = defineLimiter({ name: 'reset-mail', points: 3, durationSeconds: 3600 })
