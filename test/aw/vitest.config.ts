import { defineConfig } from 'vitest/config'

/** Apart from the other tests, because it needs a program that not every machine has: `npm run test:aw`. */
export default defineConfig({
  test: {
    include: ['test/aw/**/*.real.ts'],
    reporters: ['default', './scripts/vitest-summary.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
