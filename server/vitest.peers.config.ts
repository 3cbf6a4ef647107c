import { defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

// Peers that take minutes to fetch and start: a command of their own (`npm run test:peers`), not part of the check.
export default defineConfig({
  ...base,
  test: { ...base.test, include: ['test/peers/**/*.peer.ts'], testTimeout: 120_000, hookTimeout: 400_000 },
})
