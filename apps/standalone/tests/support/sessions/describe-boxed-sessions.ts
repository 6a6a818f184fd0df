import type { Project, Session } from '@svc/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { awaitTurn, bash, commitAndPush, isSent, promptAgent, script, startSession, write } from './agent.ts'
import { awaitEvent, commandRuns } from './events.ts'
import { piProject } from './pi-project.ts'
import type { Platform } from '../platform/platform.ts'
import { killSandbox, sandboxProcesses } from './sandbox-processes.ts'
import { waitFor } from '../wait-for.ts'

export interface BoxedSessions {
  /** The name of the provider, as a session has it. */
  readonly provider: string
  /** The platform's words on the provider at its start. */
  readonly why: string
  /** A platform with the provider, which keeps one sandbox waiting that has pi. */
  start(): Promise<Platform>
  /** True when this session's sandbox waited for it, as the provider's own record of it shows. */
  hadWaited(platform: Platform, session: Session): Promise<boolean>
}

/** The life of sessions in boxes with an image of their own: containers, or pods. Once for each such provider. */
export function describeBoxedSessions(boxes: BoxedSessions): void {
  let platform: Platform
  let project: Project
  let session: Session

  beforeAll(async () => {
    platform = await boxes.start()
    // The life of a box is the same on both runtimes; the first session alone is on the expensive one.
    project = await piProject(platform.client, platform.token, 'Boxes', '{ secrets: all }')
    await platform.client.projects.secrets.set(project.project_id, 'WORD', 'from the project')
  })
  afterAll(() => platform?.stop())

  const sessions = () => platform.client.projects.sessions
  const read = () => sessions().get(project.project_id, session.session_id)
  const greet = [write('hello.txt', 'from the box\n'), commitAndPush('Add a greeting')]

  test('the start says which provider it took', () => {
    expect(platform.child.stdout).toContain(boxes.why)
  })

  test('an agent works, opens a change request from inside, and it is merged', async () => {
    const { project_id } = await platform.client.projects.provision({ name: 'Boxes' })
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
    expect((await sessions().get(project_id, session_id)).sandbox_provider).toBe(boxes.provider)
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

  test('a restart is a new box with the pushed work', async () => {
    const before = await read()
    await sessions().restart(project.project_id, session.session_id)
    const turn = await promptAgent(platform.client, session, bash('cat hello.txt; ls'))
    expect(turn.outputs.at(-1)).toContain('from the box')
    expect(before.session_id).toBe(session.session_id)
  })

  test('a box that is killed in the middle of a turn is told in words', async () => {
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

  test('a session takes a box that waited, with its secrets, and keeps it over a stop', async () => {
    const found = await waitFor('one was made before its session', async () => {
      const begun = await startSession(platform.client, project.project_id, [
        bash('echo "$WORD on $(git rev-parse --abbrev-ref HEAD)" > made.txt && cat made.txt'),
      ])
      const { session_id } = begun.session
      const now = await sessions().get(project.project_id, session_id)
      if (await boxes.hadWaited(platform, now)) return { ...begun, external_id: now.external_id }
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
      sandbox_provider: boxes.provider,
    })
  })
}
