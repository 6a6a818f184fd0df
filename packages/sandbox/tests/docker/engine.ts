import { describe, it } from 'vitest'

export interface TestEngine {
  readonly url: string
  readonly base_image: string
}

/** The engine that infra/ci/start-docker.mjs started for tests; never one that a person works with. */
export function testEngine(): TestEngine | null {
  const socket = process.env['SVC_TEST_DOCKER_SOCKET']
  const base_image = process.env['SVC_TEST_DOCKER_IMAGE']
  return socket === undefined || base_image === undefined ? null : { url: `unix://${socket}`, base_image }
}

const reason =
  'no test engine is started: as root, eval "$(node infra/ci/start-docker.mjs start)" sets SVC_TEST_DOCKER_SOCKET and SVC_TEST_DOCKER_IMAGE'

/** Tests that need a Docker engine: skipped with a printed reason where there is none, and failed in CI. */
export function describeWithDocker(name: string, tests: (engine: TestEngine) => void): void {
  const engine = testEngine()
  if (engine !== null) {
    describe(`${name} with docker`, () => tests(engine))
    return
  }
  if (process.env['CI'] === undefined) {
    console.warn(`Skipped: ${name} with docker, because ${reason}`)
    describe.skip(`${name} with docker`, () => {
      it('needs an engine')
    })
    return
  }
  it(`${name} with docker`, () => {
    throw new Error(`A Docker engine must be there in CI: ${reason}`)
  })
}
