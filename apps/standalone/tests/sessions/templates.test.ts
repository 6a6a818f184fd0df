import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Project, Session } from '@svc/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bash, promptAgent, startSession } from '../support/sessions/agent.ts'
import { git } from '../support/clients/git.ts'
import { type Platform, startPlatform } from '../support/platform/platform.ts'
import { waitFor } from '../support/wait-for.ts'

const socket = process.env.SVC_TEST_DOCKER_SOCKET
const image = process.env.SVC_TEST_DOCKER_IMAGE
const ready = socket !== undefined && image !== undefined
const how = 'eval "$(node infra/ci/start-docker.mjs start)" as root starts an engine for tests'
if (!ready && !process.env.CI)
  console.warn(`Skipped: a journey through sandbox templates, because there is no engine; ${how}`)

test.runIf(process.env.CI)('CI has a Docker engine for tests', () => {
  expect(ready, how).toBe(true)
})

const manifest = `svc_version: 2
runtime: pi
default_agent: helper
sandbox:
  templates:
    - slug: marked
      dockerfile: .svc/marked/Dockerfile
      entrypoint: echo begun > /tmp/entrypoint
    - slug: fetched
      image: ${image ?? 'none'}
    - slug: broken
      dockerfile: .svc/broken/Dockerfile
agents:
  helper: {}
  tester: { sandbox: marked }
`
const files: Readonly<Record<string, string>> = {
  'svc.yaml': manifest,
  '.svc/marked/Dockerfile': `FROM ${image ?? ''}\nUSER 0:0\nCOPY mark.txt /etc/mark.txt\n`,
  '.svc/marked/mark.txt': 'made by the template\n',
  '.svc/broken/Dockerfile': `FROM ${image ?? ''}\nUSER 0:0\nRUN echo these are its last words && exit 7\n`,
}

describe.runIf(ready)('a sandbox template', () => {
  let platform: Platform
  let project: Project

  beforeAll(async () => {
    platform = await startPlatform({
      SVC_SANDBOX_PROVIDER: 'docker',
      SVC_DOCKER_HOST: `unix://${socket ?? ''}`,
      SVC_DOCKER_IMAGE: image ?? '',
      SVC_SANDBOX_EGRESS: 'platform',
    })
    project = await platform.client.projects.provision({ name: 'Templates' })
    const clone = join(platform.place.root, 'templates')
    const { token } = platform
    await git(['clone', '-q', project.repo_url, clone], { token })
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(clone, path)), { recursive: true })
      await writeFile(join(clone, path), content)
    }
    await git(['add', '-A'], { cwd: clone })
    await git(['commit', '-q', '-m', 'Declare templates'], { cwd: clone })
    await git(['push', '-q', 'origin', 'HEAD:main'], { cwd: clone, token })
  })
  afterAll(() => platform?.stop())

  const look = 'cat /etc/mark.txt 2>&1; id -u'
  const outputOf = async (input: { sandbox_slug?: string; agent_name?: string }) => {
    const { session, turn } = await startSession(platform.client, project.project_id, [bash(look)], input)
    await platform.client.projects.sessions.delete(project.project_id, session.session_id)
    return turn.outputs.at(-1) ?? ''
  }

  test('is what a session that asks for it by slug runs in, with its command beside the daemon', async () => {
    const { client } = platform
    const asked = { sandbox_slug: 'marked' }
    const { session, turn } = await startSession(client, project.project_id, [bash(look)], asked)
    expect(turn.outputs.at(-1)).toBe('made by the template\n1000\n')
    // Asked for again and again: a shell of the agent's has the runtime's own limit of time.
    await waitFor('the template’s command has begun', async () => {
      const { outputs } = await promptAgent(client, session, bash('cat /tmp/entrypoint 2>&1; true'))
      return outputs.at(-1) === 'begun\n'
    })
    await client.projects.sessions.delete(project.project_id, session.session_id)
  })

  test('is what an agent that names it runs in, unless the session asks for another', async () => {
    expect(await outputOf({ agent_name: 'tester' })).toContain('made by the template')
    expect(await outputOf({ agent_name: 'tester', sandbox_slug: 'fetched' })).toMatch(/No such file/)
  })

  test('whose build fails ends the session with the log of the build', async () => {
    const { sessions } = platform.client.projects
    const begun = await sessions.create(project.project_id, { sandbox_slug: 'broken' })
    const failed = await waitFor<Session>('the session has failed', async () => {
      const now = await sessions.get(project.project_id, begun.session_id)
      return now.status === 'failed' ? now : null
    })
    expect(failed.failure).toMatchObject({ category: 'image' })
    expect(failed.failure?.message).toContain('The sandbox template broken could not be built')
    expect(failed.failure?.message).toContain('these are its last words')
    expect(failed.failure?.message).toContain('7')
    expect(failed.error).toContain('these are its last words')
  })
})
