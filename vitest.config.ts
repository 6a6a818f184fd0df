import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/longest-first.ts'
import { noSkips } from './scripts/no-skips.ts'
import { secondTries } from './scripts/second-tries.ts'

// Long enough for a machine that others use as well: how fast it is decides no verdict.
const defaults = { testTimeout: 420_000, hookTimeout: 420_000, expect: { poll: { timeout: 180_000 } } }

const processors = availableParallelism()
const isWholeCheck = process.env['CI'] !== undefined
/** It needs the machine for itself: two of each service, of two releases, under load. */
const upgrade = 'apps/standalone/tests/deployments/upgrade.test.ts'
const isUpgrade = process.env['SVC_UPGRADE_TEST'] !== undefined
if (!isUpgrade)
  console.warn(`Left out: ${upgrade}, which needs the machine for itself; npm run test:upgrade runs it`)
/** Tests of real processes are tried a second time in the whole check, which names them. */
const processes = { ...defaults, retry: isWholeCheck ? 1 : 0 }
/** The whole check draws the same values each time, and judges the change; any other run draws anew, and searches. */
const draws = { setupFiles: isWholeCheck ? ['scripts/same-draws.ts'] : [] }

/** One PostgreSQL for the run, with a database to clone, and a folder that files share: whichever project begins makes them. */
const databaseSetup = 'scripts/once-a-run-setup.ts'

/**
 * unit: beside its file, needs nothing outside. integration: `tests/` of a package or app, on the real
 * PostgreSQL, git, sandboxes and processes. journeys: the whole system, a platform of its own for each file.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    reporters: isWholeCheck ? ['default', noSkips, secondTries] : ['default'],
    projects: [
      {
        test: {
          ...defaults,
          ...draws,
          name: 'unit',
          include: ['{apps,packages}/*/src/**/*.test.ts'],
          maxWorkers: processors + 1,
          sequence: { groupOrder: 0 },
          // Pure code leaves nothing behind: a fresh process for each file costs more than the tests.
          isolate: false,
        },
      },
      {
        test: {
          ...processes,
          ...draws,
          name: 'integration',
          // A file closes what it opened and has a database of its own; loading every package again costs minutes.
          isolate: false,
          include: ['{apps,packages}/*/tests/**/*.test.ts'],
          exclude: ['apps/standalone/tests/**'],
          // Tests of processes wait for much of their time: with fewer workers, processors would wait as well.
          maxWorkers: processors * 2,
          sequence: { groupOrder: 1 },
          globalSetup: databaseSetup,
        },
      },
      {
        test: {
          ...processes,
          name: 'journeys',
          // What a journey opens is a process of its own: none of its modules holds anything.
          isolate: false,
          include: ['apps/standalone/tests/**/*.test.ts'],
          exclude: isUpgrade ? [] : [upgrade],
          // Each has a platform and an agent or two of its own, which keep the processors busy.
          maxWorkers: processors + 1,
          sequence: { groupOrder: 2 },
          globalSetup: [databaseSetup, 'apps/standalone/tests/global-setup.ts'],
        },
      },
    ],
  },
})
