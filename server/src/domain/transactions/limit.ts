import { defineLimiter } from '../../platform/limits/index.ts'

// A cash desk of a chain makes a few a second; more is a program that runs wild.
const pointsPerMinute = 600

/** Transactions made by one application in a minute. */
export const createLimit = defineLimiter({ name: 'transactions', points: pointsPerMinute, durationSeconds: 60 })
