import { promptSession, reportTurnStream, stopSession } from '@svc/services'
import { agentPrincipal, openWorld, runningSession } from '@svc/services/testing'
import { expect, test } from 'vitest'
import { callConnector } from '../../src/index.ts'
import { openExecutor, openPlace, startService } from '../support/place.ts'

const world = await openWorld({ session_cap: 500 })
const executor = openExecutor(world)
const service = await startService()
const policies = '      - { match: post, action: always_run }\n'

/** A session in which an agent had the answers of two calls, in a turn that its sandbox did not live to end. */
async function interrupted() {
  const place = await openPlace(world, executor, service, { policies })
  const { project_id, person } = place
  const session = await runningSession(world, place.project)
  const agent = { ...place.agent, ...world.as(agentPrincipal({ ...session, project_id }, [])) }
  const daemon = await session.daemon()
  const turn = async (text: string, work: () => Promise<unknown>, ends: boolean) => {
    const { prompt_id } = await promptSession(person, { ...session.key, text })
    await world.queue.drain()
    await reportTurnStream(daemon, { ...session.key, kind: 'turn_begin', prompt_id })
    world.clock.advance(1_000)
    await work()
    world.clock.advance(1_000)
    if (ends)
      await reportTurnStream(daemon, { ...session.key, kind: 'turn_end', prompt_id, status: 'completed' })
  }
  const post = (path: string) =>
    callConnector(agent, {
      ...{ project_id, connector: 'tracker', action: 'post', args: { path, body: {} } },
      ...{ wait_seconds: 20, door: 'executor' },
    })
  // Nothing works on the queue meanwhile: a caller who leaves waits for no stop.
  const leaving = { ...person, signal: AbortSignal.abort() }
  return { place, session, turn, post, person, leaving }
}

test('the first prompt after an interrupted turn names the calls that had ended in it, once', async () => {
  const { session, turn, post, person, leaving } = await interrupted()
  const before: string[] = []
  await turn('first', async () => before.push((await post('/before')).call_id ?? ''), true)
  const ids: string[] = []
  await turn(
    'second',
    async () => {
      for (const path of ['/a', '/b']) ids.push((await post(path)).call_id ?? '')
    },
    false,
  )
  await stopSession(leaving, session.key)
  await world.queue.drain()
  world.clock.advance(1_000)
  world.daemon.prompts.splice(0)
  await promptSession(person, { ...session.key, text: 'Go on' })
  await promptSession(person, { ...session.key, text: 'And then this' })
  await world.queue.drain()
  const [first = '', second = ''] = world.daemon.prompts.map(({ text }) => text)
  expect(first).toMatch(/^Go on\n\nThe turn before was interrupted\. .*do not repeat them: the tool `result`/)
  for (const id of ids) expect(first).toContain(`- tracker.post (call_id ${id}): succeeded`)
  expect(first).not.toContain(before[0])
  expect(second).toBe('And then this')
})

test('a prompt that fills what a daemon takes comes as it is', async () => {
  const { session, turn, post, person, leaving } = await interrupted()
  await turn('first', () => post('/a'), false)
  await stopSession(leaving, session.key)
  await world.queue.drain()
  world.daemon.prompts.splice(0)
  world.clock.advance(1_000)
  const text = 'x'.repeat(256 * 1024 - 100)
  await promptSession(person, { ...session.key, text })
  await world.queue.drain()
  expect(world.daemon.prompts.map((prompt) => prompt.text === text)).toEqual([true])
})

test('a turn that ended well is followed by nothing of the kind', async () => {
  const { session, turn, post, person, leaving } = await interrupted()
  await turn('first', () => post('/a'), true)
  await stopSession(leaving, session.key)
  await world.queue.drain()
  world.daemon.prompts.splice(0)
  world.clock.advance(1_000)
  await promptSession(person, { ...session.key, text: 'Go on' })
  await world.queue.drain()
  expect(world.daemon.prompts.map(({ text }) => text)).toEqual(['Go on'])
})
