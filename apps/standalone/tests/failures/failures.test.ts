import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type GitServer, makeRepository, startGitServer, type TestRepository } from '@svc/git/testing'
import type { Project, Session } from '@svc/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bash, commitAndPush, promptAgent, script, startSession, write } from '../support/sessions/agent.ts'
import { allEvents, awaitEvent, commandRuns } from '../support/sessions/events.ts'
import { piProject } from '../support/sessions/pi-project.ts'
import { type Platform, startPlatform } from '../support/platform/platform.ts'
import { killSandbox } from '../support/sessions/sandbox-processes.ts'
import { waitFor } from '../support/wait-for.ts'

let platform: Platform

beforeAll(async () => {
  platform = await startPlatform({
    SVC_ALLOW_HTTP_REPOSITORIES: 'true',
    SVC_ALLOW_PRIVATE_ADDRESSES: 'true',
  })
})
afterAll(() => platform?.stop())

describe('a sandbox that is killed in the middle of a turn', () => {
  let project: Project
  let session: Session

  beforeAll(async () => {
    project = await piProject(platform.client, platform.token, 'Killed sandbox')
    session = await platform.client.projects.sessions.create(project.project_id, {
      initial_prompt: script(write('unpushed work.txt', 'not committed yet\n'), bash('sleep 600')),
    })
    await awaitEvent(platform.client, session, 'the long command runs', commandRuns('sleep 600'))
    session = await platform.client.projects.sessions.get(project.project_id, session.session_id)
    expect(await killSandbox(session)).toBeGreaterThan(0)
  })

  test('the session says that it ended and why, by itself', async () => {
    const ended = await waitFor('the session is stopped', async () => {
      const now = await platform.client.projects.sessions.get(project.project_id, session.session_id)
      return now.status === 'running' ? null : now
    })
    expect(ended).toMatchObject({
      status: 'stopped',
      stop_reason: 'sandbox_exited',
      failure: { category: 'exited', retryable: true },
    })
    expect(ended.error).toContain('ended by itself')
  })

  test('its events and its transcript stay, and the turn has an end', async () => {
    const events = await allEvents(platform.client, session)
    expect(events.find(({ type, state }) => type === 'turn' && state === 'end')).toMatchObject({
      status: expect.not.stringContaining('completed'),
    })
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
    const { messages } = await platform.client.projects.sessions.transcript(
      project.project_id,
      session.session_id,
    )
    expect(messages[0]).toMatchObject({ role: 'user' })
    expect(messages.flatMap(({ tools }) => tools.map(({ tool }) => tool))).toEqual(
      expect.arrayContaining(['write', 'bash']),
    )
  })

  test('it resumes with the files that nobody had committed, three times in a row', async () => {
    for (let round = 1; round <= 3; round += 1) {
      const started = await platform.client.projects.sessions.start(project.project_id, session.session_id)
      expect(started, JSON.stringify(started.failure)).toMatchObject({
        status: 'running',
        external_id: session.external_id,
      })
      const turn = await promptAgent(
        platform.client,
        session,
        bash(`echo ${round} >> rounds.txt; cat 'unpushed work.txt' rounds.txt | tr '\\n' ' '`),
      )
      expect(turn).toMatchObject({ status: 'completed' })
      expect(turn.outputs.at(-1)).toContain(`not committed yet ${[1, 2, 3].slice(0, round).join(' ')}`)
      await platform.client.projects.sessions.stop(project.project_id, session.session_id)
    }
  })

  test('a restart gives it a new sandbox on the same branch, with the work in progress', async () => {
    await platform.client.projects.sessions.restart(project.project_id, session.session_id)
    const turn = await promptAgent(platform.client, session, bash('ls; git rev-parse --abbrev-ref HEAD'))
    expect(turn.outputs.at(-1)).toContain(session.session_id)
    expect(turn.outputs.at(-1)).toContain('unpushed work.txt')
  })
})

describe('a connected repository that goes away', () => {
  let folder: string
  let repository: TestRepository
  let host: GitServer
  let project: Project

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-host-'))
    repository = await makeRepository({
      git_dir: join(folder, 'project.git'),
      files: { 'README.md': 'Hello\n' },
    })
    host = await startGitServer({ root: folder })
    project = await platform.client.projects.connect({ name: 'Connected', repo_url: host.url('project.git') })
  })
  afterAll(async () => {
    await host?.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('while it is there, an agent works on it and the merge reaches it', async () => {
    expect(project).toMatchObject({ default_branch: 'main', git_origin_url: null })
    const { session, turn } = await startSession(platform.client, project.project_id, [
      write('from the agent.md', 'Hello from the agent\n'),
      commitAndPush('Add a file'),
      bash("svc cr open --title 'Add a file'"),
    ])
    expect(turn, turn.outputs.join('\n')).toMatchObject({ status: 'completed' })
    expect(await repository.tip(session.session_id)).toMatch(/^[0-9a-f]{40}$/)
    const { merge } = await platform.client.projects.changeRequests.merge(project.project_id, '1')
    expect(await repository.tip('main')).toBe(merge.base_sha_after)

    const more = await promptAgent(
      platform.client,
      session,
      write('more.md', 'More\n'),
      commitAndPush('More'),
      bash("svc cr open --title 'More'"),
    )
    expect(more, more.outputs.join('\n')).toMatchObject({ status: 'completed' })
  })

  test('while it is away, what is stored is served, and what needs it says so', async () => {
    const { changeRequests, sessions } = platform.client.projects
    const before = await changeRequests.get(project.project_id, '2')
    host.answer = (_request, response) => {
      response.socket?.destroy()
      return true
    }
    expect(await changeRequests.get(project.project_id, '2')).toMatchObject({
      status: 'open',
      head_commit_sha: before.head_commit_sha,
    })
    expect((await changeRequests.list(project.project_id)).items).toHaveLength(2)
    expect((await sessions.list(project.project_id)).items).toHaveLength(1)

    const unavailable = { status: 503, code: 'git_mirror_unavailable' }
    await expect(changeRequests.merge(project.project_id, '2')).rejects.toMatchObject(unavailable)
    await expect(sessions.create(project.project_id, {})).rejects.toMatchObject(unavailable)
    expect(await changeRequests.get(project.project_id, '2')).toMatchObject({ status: 'open' })
  })

  test('once it is back, everything goes on', async () => {
    host.answer = null
    const { merge } = await platform.client.projects.changeRequests.merge(project.project_id, '2')
    expect(await repository.tip('main')).toBe(merge.base_sha_after)
  })
})
