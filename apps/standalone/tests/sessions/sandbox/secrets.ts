import { createHash } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { bash, promptAgent, startSession } from '../../support/sessions/agent.ts'
import { svc } from '../../support/clients/svc.ts'
import { platform, project } from './world.ts'

describe('secrets', () => {
  const value = 'correct horse "battery" $staple\nsecond line'

  test('are set by the client, listed by name, and reach the agent word for word', async () => {
    const { project_id } = project
    const set = await svc(platform, ['secrets', 'set', `MY_SECRET=${value}`], { project_id })
    expect(set, set.stderr).toMatchObject({ code: 0 })
    expect(set.stdout + set.stderr).not.toContain('battery')
    const listed = await svc(platform, ['secrets', 'ls'], { project_id })
    expect(listed.stdout).toContain('MY_SECRET')
    expect(listed.stdout).not.toContain('battery')
    const reserved = await svc(platform, ['secrets', 'set', 'SVC_TOKEN=x'], { project_id })
    expect(reserved).toMatchObject({ code: 1 })

    const { turn } = await startSession(platform.client, project_id, [
      bash('printf "%s" "$MY_SECRET" | sha256sum; echo "$SVC_PROJECT_SECRET_NAMES"'),
    ])
    expect(turn.outputs.at(-1)).toContain(createHash('sha256').update(value).digest('hex'))
    expect(turn.outputs.at(-1)).toContain('MY_SECRET')
  })

  test('a session may be given fewer, or none', async () => {
    const { turn } = await startSession(
      platform.client,
      project.project_id,
      [bash('echo "[${MY_SECRET-unset}] [$SVC_PROJECT_SECRET_NAMES]"')],
      { secrets: [] },
    )
    expect(turn.outputs.at(-1)).toContain('[unset] []')
  })

  test('reach a session that is there: one that runs when it is idle, one that sleeps at its start', async () => {
    const { project_id } = project
    const { secrets, sessions } = platform.client.projects
    await secrets.set(project_id, 'ROTATED', 'first')
    await secrets.set(project_id, 'DELETED', 'deleted-value')
    const show = bash('echo "[$ROTATED] [${DELETED-unset}] [$SVC_PROJECT_SECRET_NAMES]"')
    const { session, turn } = await startSession(platform.client, project_id, [show])
    expect(turn.outputs.at(-1)).toContain('[first] [deleted-value]')

    await secrets.set(project_id, 'ROTATED', 'second')
    await secrets.delete(project_id, 'DELETED')
    await vi.waitFor(
      async () =>
        expect((await promptAgent(platform.client, session, show)).outputs.at(-1)).toContain(
          '[second] [unset]',
        ),
      { timeout: 60_000 },
    )

    await sessions.stop(project_id, session.session_id)
    await secrets.set(project_id, 'ROTATED', 'third')
    const woken = await promptAgent(
      platform.client,
      session,
      show,
      // Of every process that this user may look into: the daemon and the runtime among them.
      bash('cat /proc/[0-9]*/environ 2>/dev/null | tr "\\0" "\\n" | grep -c deleted-value; true'),
    )
    expect(woken.outputs[0]).toContain('[third] [unset] [MY_SECRET,ROTATED]')
    expect(woken.outputs[1]).toMatch(/^0$/m)
  })
})
