import type { Contribution } from '../context/index.ts'
import { readEntries } from './service.ts'

export const flowsContribution: Contribution = {
  transfer: [
    {
      section: 'flows',
      // Built-in flows that were never edited are the same everywhere.
      exportObjects: async (ctx) =>
        (await readEntries(ctx)).map(({ flow }) => flow).filter(({ createdAt }) => createdAt !== null),
    },
  ],
}
