import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { describeBoxedSessions } from '../support/sessions/describe-boxed-sessions.ts'
import { startPlatform } from '../support/platform/platform.ts'

const socket = process.env.SVC_TEST_DOCKER_SOCKET
const image = process.env.SVC_TEST_DOCKER_IMAGE
const ready = socket !== undefined && image !== undefined
const how = 'eval "$(node infra/ci/start-docker.mjs start)" as root starts an engine for tests'
if (!ready && !process.env.CI)
  console.warn(`Skipped: a journey on docker, because there is no engine; ${how}`)

test.runIf(process.env.CI)('CI has a Docker engine for tests', () => {
  expect(ready, how).toBe(true)
})

describe.runIf(ready)('a session in a container', () => {
  describeBoxedSessions({
    provider: 'docker',
    why: 'containers of the Docker engine',
    start: () =>
      startPlatform({
        SVC_SANDBOX_PROVIDER: 'docker',
        SVC_DOCKER_HOST: `unix://${socket ?? ''}`,
        SVC_DOCKER_IMAGE: image ?? '',
        SVC_SANDBOX_EGRESS: 'platform',
        SVC_WARM_POOL_SIZE: '1',
        SVC_WARM_POOL_RUNTIME: 'pi',
      }),
    hadWaited: async ({ place }, { session_id, external_id }) => {
      const state = join(place.data_dir, 'sandboxes', 'docker', external_id ?? '', 'state.json')
      const { sandbox_id }: { sandbox_id?: unknown } = JSON.parse(await readFile(state, 'utf8'))
      return sandbox_id !== session_id
    },
  })
})
