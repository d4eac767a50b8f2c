import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/hosts/**', 'node_modules/**'],
    reporters: ['default', './scripts/vitest-summary.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Two processes at once by default: several tests start programs of their own.
    maxWorkers: 2,
    env: { NODE_EXTRA_CA_CERTS: '' },
  },
})
