import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Project } from '@svc/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bash, promptAgent, startSession } from '../support/sessions/agent.ts'
import { piProject } from '../support/sessions/pi-project.ts'
import { makeBegunPlace, type Place, type Platform, startOn } from '../support/platform/platform.ts'
import { killSandbox, sandboxProcesses } from '../support/sessions/sandbox-processes.ts'
import { waitFor } from '../support/wait-for.ts'

let place: Place
let platform: Platform
let project: Project

beforeAll(async () => {
  const pool = { SVC_WARM_POOL_SIZE: '1', SVC_WARM_POOL_RUNTIME: 'pi' }
  place = await makeBegunPlace({ ...pool, SVC_LOG_LEVEL: 'info' })
  platform = await startOn(place)
  project = await piProject(platform.client, platform.token, 'Warm', '{ secrets: all }')
  await platform.client.projects.secrets.set(project.project_id, 'WORD', 'from the project')
})
afterAll(async () => {
  if (platform && !platform.child.ended) await platform.stop()
  await place?.remove()
})

/** The sandbox that waits now, as this platform knows; an old one may still be on its way out. */
function waiting(not: readonly string[]): Promise<string> {
  const sandboxes = join(place.data_dir, 'sandboxes')
  return waitFor('a sandbox waits', async () => {
    const ids = (await readdir(sandboxes)).filter((name) => name.startsWith('sbx_') && !not.includes(name))
    for (const id of ids) {
      const said = await readFile(join(sandboxes, id, 'output.log'), 'utf8').catch(() => '')
      const waits = said.includes('waits for a session') && !said.includes('svc-agent listens')
      if (waits && platform.child.stdout.includes(id)) return id
    }
    return undefined
  })
}

test('a session takes the waiting sandbox, works in it, and keeps it over a stop', async () => {
  const external_id = await waiting([])
  const { session, turn } = await startSession(platform.client, project.project_id, [
    bash('echo "$WORD on $(git rev-parse --abbrev-ref HEAD)" > made.txt && cat made.txt'),
  ])
  expect(turn).toMatchObject({ status: 'completed', error: null })
  expect(turn.outputs.join()).toContain(`from the project on ${session.session_id}`)
  const { sessions } = platform.client.projects
  expect(await sessions.get(project.project_id, session.session_id)).toMatchObject({ external_id })

  await sessions.stop(project.project_id, session.session_id)
  await sessions.start(project.project_id, session.session_id)
  const again = await promptAgent(platform.client, session, bash('cat made.txt && echo "$WORD again"'))
  expect(again.outputs.join()).toContain('from the project again')
  expect(await sessions.get(project.project_id, session.session_id)).toMatchObject({ external_id })
  await sessions.delete(project.project_id, session.session_id)
})

test('a sandbox that was killed while it waited costs the next session nothing but time', async () => {
  const external_id = await waiting([])
  expect(await killSandbox({ external_id })).toBeGreaterThan(0)
  const { session, turn } = await startSession(platform.client, project.project_id, [bash('echo "$WORD"')])
  expect(turn.outputs.join()).toContain('from the project')
  const found = await platform.client.projects.sessions.get(project.project_id, session.session_id)
  expect(found.external_id).not.toBe(external_id)
  await waitFor('the dead one is removed', async () => {
    return !(await readdir(join(place.data_dir, 'sandboxes'))).includes(external_id)
  })
  await platform.client.projects.sessions.delete(project.project_id, session.session_id)
})

test('a platform that is killed finds its waiting sandbox again; one that stops leaves none', async () => {
  const external_id = await waiting([])
  await platform.kill()
  expect(await sandboxProcesses({ external_id })).not.toEqual([])
  platform = await startOn(place)
  const { session, turn } = await startSession(platform.client, project.project_id, [bash('echo "$WORD"')])
  expect(turn.outputs.join()).toContain('from the project')
  const found = await platform.client.projects.sessions.get(project.project_id, session.session_id)
  expect(found).toMatchObject({ external_id })
  await waiting([external_id])
  await platform.stop()
})
