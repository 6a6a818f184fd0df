import type { Reporter } from 'vitest/node'

/**
 * Names the tests that passed at their second try alone. A whole run has more than ten thousand tests on real processes,
 * and one that a machine held up must not hide what the others say; each that is named here has a defect all the same.
 */
export const secondTries: Reporter = {
  onTestRunEnd(modules) {
    const flaky = modules.flatMap((module) =>
      [...module.children.allTests('passed')]
        .filter((test) => test.diagnostic()?.flaky === true)
        .map((test) => `${module.relativeModuleId} > ${test.fullName}`),
    )
    if (flaky.length > 0)
      console.warn(`\nThese tests passed at their second try alone:\n  ${flaky.join('\n  ')}`)
  },
}
