import { defineConfig } from 'vitest/config'

export default defineConfig({
  // JSX of the pages and of page tests is Preact's, as in tsconfig.json.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    // Forked workers that keep their modules: 1,500 tests take 15 s this way, 58 s with a fresh world per file.
    pool: 'forks',
    isolate: false,
    maxWorkers: 2,
    globalSetup: ['test/global-setup.ts'],
    include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.ts'],
    // A test does real hashing and real SQL on shared cores; one that needs longer says so itself.
    testTimeout: 20_000,
    hookTimeout: 20_000,
    teardownTimeout: 20_000,
  },
})
