import { defineConfig } from 'vitest/config'

/** A test that needs a cluster is no part of `npm test`: `npm run test:kubernetes` gives it one. */
export default defineConfig({
  test: {
    include: [
      'packages/sandbox/tests/kubernetes/*.cluster-test.ts',
      'apps/standalone/tests/**/*.cluster-test.ts',
    ],
    globalSetup: ['packages/db/src/testing/global-setup.ts', 'apps/standalone/tests/global-setup.ts'],
    // Some tests change what the whole namespace may do.
    fileParallelism: false,
    // How fast the machine is decides no verdict.
    expect: { poll: { timeout: 180_000 } },
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
})
