import { randomUUID } from 'node:crypto'
import { sessionEvents } from '@svc/db'
import { addMember, openWorld } from '@svc/services/testing'
import { expect, test } from 'vitest'
import { showProgress, workDeliveries } from '../src/worker/index.ts'
import { untilOneLives } from './dying-worker.ts'
import { answerTurn, openStage } from './support.ts'

const world = await openWorld({ session_cap: 500 })

const ignored = () => undefined

/** A thread of Ada's, with a session that runs, and its questions. */
async function begun() {
  const stage = await openStage(world, { policy: 'project_open' })
  const ada = await stage.linked('Ada', stage.project.owner)
  const root = stage.mention(ada, 'begin')
  await stage.run()
  await world.queue.drain()
  await stage.run()
  const [{ session_id = '' } = {}] = await stage.sessionsHere()
  const acts = () => world.daemon.asked.filter(({ path }) => path === '/svc/runtime/act')
  const say = (type: string, payload: Readonly<Record<string, unknown>>, event_id: string) =>
    sessionEvents.append(world.db, session_id, [{ type, at: world.clock.now(), payload, event_id }])
  const ask = async (question: string) => {
    world.daemon.asked.length = 0
    world.daemon.act_status = 200
    const request_id = randomUUID()
    const questions = [{ question, options: [{ label: 'Red' }, { label: 'Blue' }] }]
    await say('question', { request_id, state: 'asked', questions }, `question:${request_id}`)
    await stage.run()
    return request_id
  }
  /** The agent took an answer: it says so, and takes no other. */
  const took = async (request_id: string, answer: string) => {
    world.daemon.act_status = 409
    const payload = { request_id, state: 'replied', answers: [[answer]] }
    await say('question', payload, `question:${request_id}:replied`)
  }
  const card = (words: string) => {
    const found = stage.said(root).find(({ blocks }) => JSON.stringify(blocks).includes(words))
    if (found === undefined) throw new Error(`There is no card with ${words}`)
    return found
  }
  const press = async (words: string, button: string, user = ada) => {
    await stage.slack.press(stage.general, card(words).ts, { user, button })
    await stage.slack.settled()
  }
  const verdict = async () => (await stage.deliveries()).at(-1)
  const told = () => stage.slack.workspace.ephemerals.filter(({ text }) => !text.includes('Link yourself'))
  return { stage, ada, root, session_id, acts, ask, took, card, press, verdict, told }
}

test.each([
  ['the agent says that it has the answer before the press is taken up again', true],
  ['the agent says so while the press is taken up again', false],
])(
  'a press that answered is not refused for its own answer, whichever query its worker dies before: %s',
  async (_, early) => {
    const { stage, acts, ask, took, card, press, verdict, told } = await begun()
    const queries = await untilOneLives(stage.worker, async (n, worker) => {
      const words = `Which colour ${n}.?`
      const request_id = await ask(words)
      await press(words, 'Blue')
      await workDeliveries(worker, stage.channel_id, 1).catch(ignored)
      const was = acts().length
      if (was > 0 && early) {
        await took(request_id, 'Blue')
        await showProgress(stage.worker)
      }
      if (was > 0 && !early) world.daemon.act_status = 409
      world.clock.advance(120_000)
      await stage.run()
      if (was === 0 || !early) await took(request_id, 'Blue')
      world.clock.advance(120_000)
      await stage.run()
      await stage.run()
      return async () => {
        expect(acts().length).toBeGreaterThan(0)
        expect(await verdict()).toMatchObject({ verdict: 'accepted', reason: null })
        expect(JSON.stringify(card(words).blocks)).toContain('Ada: Blue')
        expect(JSON.stringify(card(words).blocks)).not.toContain('"Red"')
      }
    })
    expect(queries).toBeGreaterThan(10)
    expect(told()).toEqual([])
  },
)

test('an answer of somebody else that came between is who decided, and the press hears so', async () => {
  const { stage, acts, ask, took, press, verdict, told } = await begun()
  const request_id = await ask('Which colour?')
  await press('Which colour?', 'Blue')
  world.daemon.act_status = 503
  await stage.run()
  expect(acts()).toHaveLength(1)
  await took(request_id, 'Red')
  world.clock.advance(120_000)
  await stage.run()
  await stage.run()
  expect(await verdict()).toMatchObject({ verdict: 'refused', reason: 'ASK_NOT_PENDING' })
  expect(told()).toMatchObject([{ text: expect.stringContaining('decided already') }])
})

test('who presses the same once more hears that it is done as they asked; another person hears who was first', async () => {
  const { stage, ask, took, press, verdict, told } = await begun()
  const bob = await stage.linked('Bob', await addMember(world, stage.project, 'editor'))
  const request_id = await ask('Which colour?')
  await press('Which colour?', 'Blue')
  await press('Which colour?', 'Blue')
  await press('Which colour?', 'Blue', bob)
  await press('Which colour?', 'Red')
  await stage.run()
  await took(request_id, 'Blue')
  await stage.run()
  const words = told().map(({ user, text }) => `${user === bob.id ? 'Bob' : 'Ada'}: ${text}`)
  expect(words.toSorted()).toEqual([
    'Ada: It is done as you asked. Ada: Blue',
    'Ada: This was decided already, or waited too long. Ada: Blue',
    'Bob: This was decided already, or waited too long. Ada: Blue',
  ])
  expect(await verdict()).toMatchObject({ verdict: 'refused' })
})

test('a Stop whose worker died is not refused once the turn is over', async () => {
  const { stage, root, ada, session_id, verdict, told } = await begun()
  const [progress] = stage.said(root)
  const [prompt] = await stage.prompts(session_id)
  await stage.slack.press(stage.general, progress?.ts ?? '', { user: ada, button: 'Stop' })
  await stage.slack.settled()
  world.daemon.drive.status = 503
  await workDeliveries(stage.worker, stage.channel_id, 1)
  world.daemon.drive.status = 200
  expect(await verdict()).toMatchObject({ verdict: 'pending' })
  await answerTurn(stage, { session_id, prompt_id: prompt?.prompt_id ?? '' }, 'Stopped')
  await stage.publish()
  world.clock.advance(120_000)
  await stage.run()
  expect(await verdict()).toMatchObject({ verdict: 'accepted', reason: null })
  expect(told()).toEqual([])
})
