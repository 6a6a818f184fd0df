import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Session } from '@svc/sdk'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  bash,
  commitAndPush,
  isSent,
  promptAgent,
  startSession,
  write,
} from '../../support/sessions/agent.ts'
import { allEvents } from '../../support/sessions/events.ts'
import { readableBy } from '../../support/readable-by.ts'
import { platform, project } from './world.ts'

describe('what the agent finds', () => {
  let author: Session
  let reader: Session

  test('the documented variables, the repository on its branch, and no key of the daemon', async () => {
    const started = await startSession(platform.client, project.project_id, [
      bash(
        'for name in PROJECT_ID SESSION_ID BRANCH_NAME REPO_URL DEFAULT_BRANCH BASE_REF SERVICE_PORT API_URL AGENT_NAME CLI_TOKEN EXECUTOR_TOKEN; do eval "echo $name=\\$SVC_$name"; done',
      ),
      bash('git rev-parse --abbrev-ref HEAD; git status --porcelain; pwd; git config --list --show-origin'),
      bash(isSent),
    ])
    const { session, turn } = started
    reader = session
    const [variables = '', repository = '', sent = ''] = turn.outputs
    expect(sent).toContain('sent 1')
    for (const line of [
      `PROJECT_ID=${project.project_id}`,
      `SESSION_ID=${session.session_id}`,
      `BRANCH_NAME=${session.session_id}`,
      'DEFAULT_BRANCH=main',
      'BASE_REF=main',
      'SERVICE_PORT=',
      `API_URL=${platform.origin}/v1`,
      `AGENT_NAME=${session.agent_name}`,
    ]) {
      expect(variables).toContain(line)
    }
    const token = /CLI_TOKEN=(svc_pat_\w+)/.exec(variables)?.[1] ?? ''
    expect(variables).toContain(`EXECUTOR_TOKEN=${token}`)
    expect(repository).toContain(session.session_id)
    expect(repository).not.toContain(token)
    expect(repository).not.toMatch(/extraheader/i)
  })

  test('neither the platform’s own files nor another session’s', async () => {
    const first = await startSession(platform.client, project.project_id, [
      write('private.txt', 'mine alone\n'),
    ])
    author = first.session
    const turn = await promptAgent(
      platform.client,
      reader,
      bash(
        `cd '${platform.place.data_dir}' && cat master.key bootstrap.json; find '${platform.place.root}' -name private.txt; true`,
      ),
    )
    expect(turn.status).toBe('completed')
    // Without any isolation, and not started by root, the platform says at its start that this is so.
    if (platform.child.stdout.includes('files: sandboxes read and write whatever')) return
    expect(turn.outputs.at(-1)).not.toContain(platform.token)
    expect(turn.outputs.at(-1)).not.toContain('private.txt')
    expect(first.turn.status).toBe('completed')
  })

  test.runIf(process.getuid?.() === 0)(
    'of everything below the data folder, its user reads its own folders and the shared tools alone',
    async () => {
      const { data_dir } = platform.place
      const session = await platform.client.projects.sessions.get(project.project_id, author.session_id)
      const own = join(data_dir, 'sandboxes', session.external_id ?? '')
      const { uid } = z
        .object({ uid: z.number() })
        .parse(JSON.parse(await readFile(join(own, 'state.json'), 'utf8')))
      const readable = await readableBy(uid, data_dir)
      // The tools of apps and their way out, like those of sessions, are for every sandbox.
      const shared = ['sandboxes', 'programs'].flatMap((root) => [`${root}/.tools`, `${root}/.relays`])
      const its = [own, ...shared.map((folder) => join(data_dir, folder))]
      expect(readable).toContain(join(own, 'workspace'))
      expect(readable.filter((path) => !its.some((folder) => `${path}/`.startsWith(`${folder}/`)))).toEqual(
        [],
      )
      expect(readable).not.toContain(join(own, 'state.json'))
    },
  )

  test('no token is written into an event, a URL or a log', async () => {
    await promptAgent(
      platform.client,
      author,
      write('x.txt', 'x\n'),
      commitAndPush('X'),
      bash('git remote -v; git log -1 --format=full'),
    )
    const events = JSON.stringify(await allEvents(platform.client, author))
    expect(events).not.toMatch(/svc_(pat|sbx|gw)_\w/)
    expect(platform.child.stdout + platform.child.stderr).not.toMatch(/svc_(pat|sbx|gw)_\w/)
  })
})
