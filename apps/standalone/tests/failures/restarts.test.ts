import { createServer } from 'node:net'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Project, Session } from '@svc/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  awaitTurn,
  bash,
  lastSeq,
  promptAgent,
  script,
  startSession,
  write,
} from '../support/sessions/agent.ts'
import { builtEntry } from '../support/platform/apps.ts'
import { awaitEvent, commandRuns } from '../support/sessions/events.ts'
import { piProject } from '../support/sessions/pi-project.ts'
import { makePlace, type Place, type Platform, startOn } from '../support/platform/platform.ts'
import { expectNoProcesses } from '../support/platform/processes.ts'
import { portOf } from '../support/platform/ports.ts'
import { run } from '../support/platform/run.ts'
import { sandboxProcesses } from '../support/sessions/sandbox-processes.ts'
import { svc } from '../support/clients/svc.ts'
import { waitFor } from '../support/wait-for.ts'

let place: Place
let platform: Platform
let project: Project
let session: Session

beforeAll(async () => {
  place = await makePlace()
  platform = await startOn(place)
  project = await piProject(platform.client, platform.token, 'Restarts')
})
afterAll(async () => {
  if (platform && !platform.child.ended) await platform.stop()
  await place?.remove()
})

const current = () => platform.client.projects.sessions.get(project.project_id, session.session_id)
const start = (env: Record<string, string> = {}) =>
  run(process.execPath, [builtEntry('standalone')], { env: { ...place.env, ...env } })

describe('starting', () => {
  test('the files that hold a token are for their owner alone', async () => {
    for (const path of [
      join(place.data_dir, 'bootstrap.json'),
      place.config_file,
      join(place.data_dir, 'master.key'),
    ]) {
      expect(((await stat(path)).mode & 0o077).toString(8), path).toBe('0')
    }
  })

  test('a taken port is named, with what to do about it', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    try {
      const port = String(portOf(taken))
      const refused = await start({ SVC_PORT: port, SVC_DATA_DIR: join(place.root, 'other') })
      expect(refused.code).toBe(1)
      expect(refused.stderr).toContain(`Port ${port} on 127.0.0.1 is taken`)
      expect(refused.stderr).toContain('SVC_PORT=')
      expect(refused.stderr).not.toContain('    at ')
    } finally {
      taken.close()
    }
  })

  test('wrong settings are listed, all at once', async () => {
    const refused = await start({
      SVC_PORT: 'eighty',
      SVC_SANDBOX_PROVIDER: 'paper',
      SVC_MODEL_BASE_URL: 'nowhere',
    })
    expect(refused.code).toBe(1)
    for (const name of ['SVC_PORT', 'SVC_SANDBOX_PROVIDER', 'SVC_MODEL_BASE_URL'])
      expect(refused.stderr).toContain(name)
    expect(refused.stderr).not.toContain('    at ')
  })

  test('a second start on the same data directory is refused, and the first does not notice', async () => {
    const other = await makePlace()
    try {
      const { SVC_PORT = '', SVC_INTERNAL_PORT = '', SVC_APPS_PORT = '' } = other.env
      const refused = await start({ SVC_PORT, SVC_INTERNAL_PORT, SVC_APPS_PORT })
      expect(refused.code).toBe(1)
      expect(refused.stderr).toContain(place.data_dir)
      expect(refused.stderr).toContain(String(platform.child.pid))
      expect(refused.stderr).not.toContain('    at ')
      expect(await platform.client.me()).toBeTruthy()
    } finally {
      await other.remove()
    }
  })
})

describe('the power cut', () => {
  beforeAll(async () => {
    const started = await startSession(platform.client, project.project_id, [write('kept.txt', 'kept\n')])
    session = started.session
  })

  test('a killed platform starts again on the same folder, and the same token signs in', async () => {
    const { token } = platform
    const after = await lastSeq(platform.client, session)
    await platform.client.projects.sessions.prompt(project.project_id, session.session_id, {
      text: script(bash('sleep 600')),
    })
    await awaitEvent(platform.client, session, 'the command runs', commandRuns('sleep 600'), after)
    await platform.kill()
    platform = await startOn(place)
    expect(platform.token).toBe(token)
    expect(await platform.client.projects.get(project.project_id)).toMatchObject({ name: 'Restarts' })
    expect(await svc(platform, ['whoami'])).toMatchObject({ code: 0 })
  })

  test('the session is soon what its sandbox really is, and the conversation goes on', async () => {
    const settled = await waitFor('the session and its sandbox agree', async () => {
      const now = await current()
      const lives = (await sandboxProcesses(now)).length > 0
      return (now.status === 'running') === lives ? now : null
    })
    expect(['running', 'stopped']).toContain(settled.status)
    if (settled.status === 'running') {
      await platform.client.projects.sessions.stop(project.project_id, session.session_id)
    }
    const turn = await promptAgent(platform.client, session, bash('cat kept.txt'))
    expect(turn).toMatchObject({ status: 'completed' })
    expect(turn.outputs.at(-1)).toContain('kept')
  })

  test('a prompt that was accepted just before the cut is answered after it', async () => {
    const after = await lastSeq(platform.client, session)
    const { prompt_id } = await platform.client.projects.sessions.prompt(
      project.project_id,
      session.session_id,
      {
        text: script(bash('echo answered after the cut')),
      },
    )
    await platform.kill()
    platform = await startOn(place)
    const turn = await awaitTurn(platform.client, session, { after, prompt_id })
    expect(turn).toMatchObject({ status: 'completed' })
    expect(turn.outputs.at(-1)).toContain('answered after the cut')
  })
})

describe('an orderly end', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    '%s in the middle of a turn leaves nothing running',
    async (signal) => {
      const after = await lastSeq(platform.client, session)
      await platform.client.projects.sessions.prompt(project.project_id, session.session_id, {
        text: script(bash('sleep 600')),
      })
      await awaitEvent(platform.client, session, 'the command runs', commandRuns('sleep 600'), after)
      await platform.stop(signal)
      await expectNoProcesses([...place.markers, session.external_id ?? place.root])
      platform = await startOn(place)
      expect(await current()).toMatchObject({ status: 'stopped', stop_reason: 'platform_shutdown' })
      const events = await platform.client.projects.sessions.events(project.project_id, session.session_id, {
        after,
      })
      expect(events.events.find(({ type, state }) => type === 'turn' && state === 'end')).toMatchObject({
        error: expect.stringContaining('shut down'),
      })
    },
  )

  test('and the session wakes up for the next prompt', async () => {
    const turn = await promptAgent(platform.client, session, bash('cat kept.txt'))
    expect(turn.outputs.at(-1)).toContain('kept')
  })
})
