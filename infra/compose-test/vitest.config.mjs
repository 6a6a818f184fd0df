import { defineConfig } from 'vitest/config'

/** A test that builds images is no part of `npm test`: `npm run test:compose` gives it an engine. */
export default defineConfig({
  test: {
    include: ['apps/standalone/tests/**/*.stack-test.ts'],
    // They share an engine, and two stacks are too much for a small machine.
    fileParallelism: false,
    testTimeout: 900_000,
    hookTimeout: 900_000,
  },
})
