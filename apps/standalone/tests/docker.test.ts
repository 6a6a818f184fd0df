import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Project, Session } from '@svc/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  awaitTurn,
  bash,
  commitAndPush,
  isSent,
  promptAgent,
  script,
  startSession,
  write,
} from './support/agent.ts'
import { awaitEvent, commandRuns } from './support/events.ts'
import { piProject } from './support/pi-project.ts'
import { type Platform, startPlatform } from './support/platform.ts'
import { killSandbox, sandboxProcesses } from './support/sandbox-processes.ts'
import { waitFor } from './support/wait-for.ts'

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
  let platform: Platform
  let project: Project
  let session: Session

  beforeAll(async () => {
    platform = await startPlatform({
      SVC_SANDBOX_PROVIDER: 'docker',
      SVC_DOCKER_HOST: `unix://${socket ?? ''}`,
      SVC_DOCKER_IMAGE: image ?? '',
      SVC_SANDBOX_EGRESS: 'platform',
      SVC_WARM_POOL_SIZE: '1',
      SVC_WARM_POOL_RUNTIME: 'pi',
    })
    // How a container lives is the same on both runtimes; the first session alone is on the dear one.
    project = await piProject(platform.client, platform.token, 'Docker', '{ secrets: all }')
    await platform.client.projects.secrets.set(project.project_id, 'WORD', 'from the project')
  })
  afterAll(() => platform?.stop())

  const sessions = () => platform.client.projects.sessions
  const read = () => sessions().get(project.project_id, session.session_id)
  const greet = [write('hello.txt', 'from a container\n'), commitAndPush('Add a greeting')]

  test('the start says which provider it took', () => {
    expect(platform.child.stdout).toContain('containers of the Docker engine')
  })

  test('an agent works, opens a change request from inside, and it is merged', async () => {
    const { project_id } = await platform.client.projects.provision({ name: 'Docker' })
    const begun = await startSession(platform.client, project_id, [
      ...greet,
      bash('svc cr open --title Greeting'),
      bash(`id -u; pwd; echo $HOME; ${isSent}; command -v svc-agent; cat /proc/1/cmdline | tr "\\0" " "`),
    ])
    expect(begun.turn, begun.turn.outputs.join('\n')).toMatchObject({ status: 'completed' })
    const layout = begun.turn.outputs.at(-1) ?? ''
    for (const line of ['1000', '/workspace', '/opt/svc/home', 'sent 1', '/bin/svc-agent', 'svc-entrypoint'])
      expect(layout).toContain(line)
    const { session_id } = begun.session
    expect((await sessions().get(project_id, session_id)).sandbox_provider).toBe('docker')
    const { items } = await platform.client.projects.changeRequests.list(project_id)
    expect(items).toHaveLength(1)
    const merged = await platform.client.projects.changeRequests.merge(project_id, items[0]?.cr_id ?? '')
    expect(merged.change_request.status).toBe('merged')
    await sessions().delete(project_id, session_id)
  })

  test('a stop ends everything in it, and a start finds its files', async () => {
    const begun = await startSession(platform.client, project.project_id, [
      ...greet,
      bash('echo kept > /workspace/kept.txt; echo kept > ~/kept.txt'),
    ])
    session = begun.session
    await sessions().stop(project.project_id, session.session_id)
    const { external_id } = await read()
    await waitFor('nothing of it runs', async () => (await sandboxProcesses({ external_id })).length === 0)
    await sessions().start(project.project_id, session.session_id)
    const turn = await promptAgent(platform.client, session, bash('cat /workspace/kept.txt ~/kept.txt'))
    expect(turn.outputs.at(-1)).toBe('kept\nkept\n')
    expect((await read()).external_id).toBe(external_id)
  })

  test('a restart is a new container with the pushed work', async () => {
    const before = await read()
    await sessions().restart(project.project_id, session.session_id)
    const turn = await promptAgent(platform.client, session, bash('cat hello.txt; ls'))
    expect(turn.outputs.at(-1)).toContain('from a container')
    expect(before.session_id).toBe(session.session_id)
  })

  test('a container that is killed in the middle of a turn is told in words', async () => {
    const { prompt_id } = await sessions().prompt(project.project_id, session.session_id, {
      text: script(bash('sleep 600')),
    })
    await awaitEvent(platform.client, session, 'the command runs', commandRuns('sleep 600'))
    expect(await killSandbox(await read())).toBeGreaterThan(0)
    const ended = await waitFor('the session is stopped', async () => {
      const now = await read()
      return now.status === 'running' ? null : now
    })
    expect(ended).toMatchObject({
      status: 'stopped',
      stop_reason: 'sandbox_exited',
      failure: { category: 'exited', retryable: true },
    })
    expect(ended.error).toContain('killed by SIGKILL')
    const turn = await awaitTurn(platform.client, session, { prompt_id })
    expect(turn.status).not.toBe('completed')
    const after = await promptAgent(platform.client, session, bash('echo back'))
    expect(after.outputs.at(-1)).toContain('back')
  })

  test('a session takes a container that waited, with its secrets, and keeps it over a stop', async () => {
    const found = await waitFor('one was made before its session', async () => {
      const begun = await startSession(platform.client, project.project_id, [
        bash('echo "$WORD on $(git rev-parse --abbrev-ref HEAD)" > made.txt && cat made.txt'),
      ])
      const { session_id, external_id } = await sessions().get(project.project_id, begun.session.session_id)
      const state = join(platform.place.data_dir, 'sandboxes', 'docker', external_id ?? '', 'state.json')
      const { sandbox_id }: { sandbox_id?: unknown } = JSON.parse(await readFile(state, 'utf8'))
      if (sandbox_id !== session_id) return { ...begun, external_id }
      await sessions().delete(project.project_id, session_id)
      return null
    })
    const { session_id } = found.session
    expect(found.turn.outputs.join()).toContain(`from the project on ${session_id}`)
    await sessions().stop(project.project_id, session_id)
    await sessions().start(project.project_id, session_id)
    const again = await promptAgent(platform.client, found.session, bash('cat made.txt; echo "$WORD again"'))
    expect(again.outputs.join()).toMatch(/from the project on [^]*from the project again/)
    expect(await sessions().get(project.project_id, session_id)).toMatchObject({
      external_id: found.external_id,
      sandbox_provider: 'docker',
    })
  })
})
