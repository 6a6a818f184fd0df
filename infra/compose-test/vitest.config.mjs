import { defineConfig } from 'vitest/config'

/** A test that builds images is no part of `npm test`: `npm run test:compose` gives it an engine. */
export default defineConfig({
  test: {
    include: ['apps/standalone/tests/**/*.stack-test.ts'],
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
})
