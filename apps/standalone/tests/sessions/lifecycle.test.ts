import { randomUUID } from 'node:crypto'
import type { Project, Session } from '@svc/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { awaitTurn, bash, lastSeq, promptAgent, script, startSession } from '../support/sessions/agent.ts'
import { allEvents, awaitEvent, commandRuns } from '../support/sessions/events.ts'
import { piProject } from '../support/sessions/pi-project.ts'
import { type Platform, startPlatform } from '../support/platform/platform.ts'
import { processesWith } from '../support/platform/processes.ts'
import { request } from '../support/clients/request.ts'
import { sandboxProcesses } from '../support/sessions/sandbox-processes.ts'
import { waitFor } from '../support/wait-for.ts'

/** The fewest sessions that show it: each of them is a sandbox. */
const cap = 3

let platform: Platform
let project: Project

beforeAll(async () => {
  platform = await startPlatform({ SVC_SESSION_CAP: String(cap) })
  project = await piProject(platform.client, platform.token, 'Lifecycle')
})
afterAll(() => platform?.stop())

const sessions = () => platform.client.projects.sessions
const read = ({ session_id }: Session) => sessions().get(project.project_id, session_id)
const remove = ({ session_id }: Session) => sessions().delete(project.project_id, session_id)

/** Every process in a sandbox knows the address of its own platform. */
const sandboxMarker = () => `SVC_API_URL=${platform.origin}/v1`

/** Expects that nothing of a sandbox is left, at whatever time of its life it was ended. */
async function expectGone(external_id: string | null): Promise<void> {
  if (external_id === null) return
  await waitFor('the sandbox has ended', async () => (await sandboxProcesses({ external_id })).length === 0)
}

test('prompts that come all at once are answered one by one, in order', async () => {
  const { session } = await startSession(platform.client, project.project_id, [bash('echo 0 > order.txt')])
  expect((await processesWith([sandboxMarker()])).length).toBeGreaterThan(0)
  const after = await lastSeq(platform.client, session)
  const numbers = [1, 2, 3, 4, 5, 6]
  const prompts = []
  for (const number of numbers) {
    prompts.push(
      await sessions().prompt(project.project_id, session.session_id, {
        text: script(bash(`sleep 0.2; echo ${number} >> order.txt; tr '\\n' ' ' < order.txt`)),
      }),
    )
  }
  const last = await awaitTurn(platform.client, session, {
    after,
    prompt_id: prompts.at(-1)?.prompt_id ?? '',
  })
  expect(last.outputs.at(-1)).toContain('0 1 2 3 4 5 6')
  const turns = last.events.filter(({ type }) => type === 'turn')
  expect(turns.map(({ state, prompt_id }) => [state, prompt_id])).toEqual(
    prompts.flatMap(({ prompt_id }) => [
      ['begin', prompt_id],
      ['end', prompt_id],
    ]),
  )
  await remove(session)
})

test('a stop in the middle of a turn ends the turn, and what was queued is done after the next start', async () => {
  const session = await sessions().create(project.project_id, { initial_prompt: script(bash('sleep 600')) })
  await awaitEvent(platform.client, session, 'the command runs', commandRuns('sleep 600'))
  const { prompt_id } = await sessions().prompt(project.project_id, session.session_id, {
    text: script(bash('echo done later')),
  })
  const { external_id } = await read(session)
  const stopped = await sessions().stop(project.project_id, session.session_id)
  expect(stopped).toMatchObject({ status: 'stopped', stop_reason: 'user', runtime_status: 'stopped' })
  await expectGone(external_id)
  const first = (await allEvents(platform.client, session)).find(
    ({ type, state }) => type === 'turn' && state === 'end',
  )
  expect(first).toMatchObject({ status: 'interrupted' })
  await sessions().start(project.project_id, session.session_id)
  const turn = await awaitTurn(platform.client, session, { prompt_id })
  expect(turn.outputs.at(-1)).toContain('done later')
  await remove(session)
})

test('the agent is interrupted by an act, and answers the next prompt', async () => {
  const session = await sessions().create(project.project_id, { initial_prompt: script(bash('sleep 600')) })
  await awaitEvent(platform.client, session, 'the command runs', commandRuns('sleep 600'))
  const { external_id } = await read(session)
  await platform.client.runtime.act(external_id ?? '', { kind: 'stop' })
  const turn = await awaitTurn(platform.client, session)
  expect(turn).toMatchObject({ status: 'aborted' })
  const next = await promptAgent(platform.client, session, bash('pgrep -f "sleep 600" | wc -l; echo next'))
  expect(next.outputs.at(-1)).toContain('next')
  await remove(session)
  await expectGone(external_id)
})

test('sessions that are deleted at every moment of their start leave nothing behind', async () => {
  for (const delay of [0, 50, 200, 500, 900]) {
    const session = await sessions().create(project.project_id, { initial_prompt: 'Say hello' })
    await new Promise((resolve) => setTimeout(resolve, delay))
    const { external_id } = await read(session)
    await remove(session)
    await expect(read(session)).rejects.toMatchObject({ status: 404 })
    await expectGone(external_id)
  }
  await waitFor('no sandbox is left', async () => {
    return (await processesWith([sandboxMarker()])).length === 0
  })
  expect((await sessions().list(project.project_id)).items).toEqual([])
})

test('start, stop, restart and prompt at once end in one state that is true', async () => {
  const { session } = await startSession(platform.client, project.project_id, [bash('echo ready')])
  const { project_id, session_id } = session
  for (let round = 0; round < 3; round += 1) {
    const answers = await Promise.allSettled([
      sessions().stop(project_id, session_id),
      sessions().start(project_id, session_id),
      sessions().restart(project_id, session_id),
      sessions().stop(project_id, session_id),
      sessions().start(project_id, session_id),
    ])
    for (const answer of answers) {
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ status: 409 })
    }
  }
  await waitFor('the session settles and says what is', async () => {
    const now = await read(session)
    if (now.status !== 'running' && now.status !== 'stopped') return false
    const lives = now.external_id !== null && (await sandboxProcesses(now)).length > 0
    return (now.status === 'running') === lives
  })
  const turn = await promptAgent(platform.client, session, bash('echo still one'))
  expect(turn.outputs.at(-1)).toContain('still one')
  await remove(session)
})

test('the account’s cap answers 429 with Retry-After, and a stop makes room', async () => {
  const live: Session[] = []
  for (let number = 0; number < cap; number += 1) live.push(await sessions().create(project.project_id, {}))
  const refused = await request(platform.origin, `POST /v1/projects/${project.project_id}/sessions`, {
    token: platform.token,
    json: {},
  })
  expect(refused).toMatchObject({ status: 429, body: { code: 'session_limit_reached' } })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  const [first] = live
  if (first) await sessions().stop(project.project_id, first.session_id)
  live.push(await sessions().create(project.project_id, {}))
  if (first)
    await expect(sessions().start(project.project_id, first.session_id)).rejects.toMatchObject({
      status: 429,
    })
  await Promise.all(live.map(remove))
})

test('two creates with the same chosen id are one session and one refusal', async () => {
  const session_id = randomUUID()
  const answers = await Promise.allSettled([
    sessions().create(project.project_id, { session_id }),
    sessions().create(project.project_id, { session_id }),
  ])
  const refused = answers.filter((answer) => answer.status === 'rejected')
  expect(refused).toHaveLength(1)
  expect(refused[0]?.reason).toMatchObject({ status: 409, code: 'SESSION_ID_TAKEN' })
  await sessions().delete(project.project_id, session_id)
})

test('archiving a project ends its sandboxes and its tokens', async () => {
  const gone = await piProject(platform.client, platform.token, 'Gone')
  const { token } = await platform.client.projects.tokens.create(gone.project_id)
  const { session } = await startSession(platform.client, gone.project_id, [bash('echo here')])
  const { external_id } = await sessions().get(gone.project_id, session.session_id)
  await platform.client.projects.archive(gone.project_id)
  await expect(platform.client.projects.get(gone.project_id)).rejects.toMatchObject({
    status: 404,
    code: 'project_archived',
  })
  await expect(sessions().get(gone.project_id, session.session_id)).rejects.toMatchObject({ status: 404 })
  const own = await request(platform.origin, `GET /v1/projects/${gone.project_id}`, { token })
  expect([401, 403, 404]).toContain(own.status)
  await expectGone(external_id)
  expect((await platform.client.projects.list()).map(({ project_id }) => project_id)).not.toContain(
    gone.project_id,
  )
})
