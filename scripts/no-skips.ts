import type { Reporter } from 'vitest/node'

/** In CI a test that does not run is a failure: whatever it needs is installed there. */
export const noSkips: Reporter = {
  onTestRunEnd(modules) {
    const skipped = modules.flatMap((module) =>
      [...module.children.allTests('skipped')].map((test) => `${module.relativeModuleId} > ${test.fullName}`),
    )
    if (skipped.length === 0) return
    console.error(`\nThese tests did not run, and in CI every test does:\n  ${skipped.join('\n  ')}`)
    process.exitCode = 1
  },
}
