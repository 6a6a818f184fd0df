import type { Project, Session } from '@svc/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  awaitTurn,
  bash,
  commitAndPush,
  promptAgent,
  startSession,
  write,
} from '../support/sessions/agent.ts'
import { piProject } from '../support/sessions/pi-project.ts'
import { type Platform, startPlatform } from '../support/platform/platform.ts'

describe('a project whose manifest names the runtime pi', () => {
  let platform: Platform
  let project: Project
  let session: Session

  beforeAll(async () => {
    platform = await startPlatform()
    project = await piProject(platform.client, platform.token, 'Pi')
  })
  afterAll(() => platform?.stop())

  test('an agent writes, pushes and opens a change request, which is merged', async () => {
    const begun = await startSession(platform.client, project.project_id, [
      write('hello.txt', 'from pi\n'),
      commitAndPush('Add a greeting'),
      bash('svc cr open --title Greeting'),
      bash('tr "\\0" " " < /proc/$PPID/cmdline'),
    ])
    session = begun.session
    expect(begun.turn, begun.turn.outputs.join('\n')).toMatchObject({ status: 'completed' })
    expect(begun.turn.outputs.at(-1)).toMatch(/pi\/main\.js/)
    const { changeRequests } = platform.client.projects
    const [opened] = (await changeRequests.list(project.project_id)).items
    const merged = await changeRequests.merge(project.project_id, opened?.cr_id ?? '')
    expect(merged.change_request.status).toBe('merged')
    const { content } = await platform.client.projects.files.read(project.project_id, { path: 'hello.txt' })
    expect(content).toContain('from pi')
  })

  test('the usual script of the demo model works on it as well', async () => {
    const asked = await platform.client.projects.sessions.create(project.project_id, {
      initial_prompt: 'Add a file NOTES.md that says what this is for.',
    })
    const turn = await awaitTurn(platform.client, asked)
    expect(turn, turn.outputs.join('\n')).toMatchObject({ status: 'completed' })
    expect(turn.outputs.at(-1)).toContain('Opened #')
  })

  test('the conversation goes on after a stop, with its files', async () => {
    const { sessions } = platform.client.projects
    await sessions.stop(project.project_id, session.session_id)
    const turn = await promptAgent(platform.client, session, bash('cat hello.txt'))
    expect(turn.outputs.at(-1)).toContain('from pi')
    const { messages } = await sessions.transcript(project.project_id, session.session_id)
    expect(messages.filter(({ role }) => role === 'user')).toHaveLength(2)
  })
})
