import { channelMessages, channelThreads } from '@svc/db/channels'
import { openWorld } from '@svc/services/testing'
import { expect, test } from 'vitest'
import { sendMessages, workDeliveries } from '../src/worker/index.ts'
import { dyingWorker } from './dying-worker.ts'
import { openStage, type Stage } from './support.ts'

const world = await openWorld({ session_cap: 500 })

/** `SEEDS`, with commas, asks for others. */
const seeds = (process.env['SEEDS'] ?? '1,2,3').split(',').map(Number)
const steps = 30

/** Numbers below `below`, the same for each seed (mulberry32). */
function chance(seed: number) {
  let state = seed
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** Each thing that may happen to a channel, any of them at any time. */
function happenings(
  stage: Stage,
  ada: Awaited<ReturnType<Stage['linked']>>,
  random: (below: number) => number,
) {
  const { slack, general, door, worker, channel_id } = stage
  const said = new Map<string, string[]>()
  const told: string[] = []
  const roots = () => [...said.keys()]
  let count = 0
  const dying = () => dyingWorker(worker, random(30)).worker
  const say = () => {
    const text = `words ${(count += 1)}`
    const root = said.size < 4 || random(6) === 0 ? undefined : roots()[random(said.size)]
    const began = stage.mention(ada, text, root)
    said.set(root ?? began, [...(said.get(root ?? began) ?? []), text])
  }
  const tell = async () => {
    const rows = await world.db
      .selectFrom('channel_threads')
      .selectAll()
      .where('channel_id', '=', channel_id)
      .execute()
    const row = rows[random(Math.max(1, rows.length))]
    if (row === undefined) return
    const text = `told ${(count += 1)}`
    await world.db.transaction().execute(async (tx) => {
      const locked = await channelThreads.lock(tx, row.thread_id)
      if (locked === undefined) throw new Error('The thread is lost')
      const message = { message_id: world.base.newId(), kind: 'notice' as const, body: { text } }
      await channelMessages.append(tx, locked, message, world.clock.now())
    })
    told.push(text)
  }
  const all: readonly (() => unknown)[] = [
    ...[say, say, say, tell],
    // Slack sees no answer, before the row is written or after it, and sends again.
    () => void (door.fault.before = random(2)),
    () => void (door.fault.after = random(2)),
    () => slack.limit(1, 1 + random(3)),
    () => slack.loseAnswers(1),
    () => slack.break(1),
    () => workDeliveries(dying(), channel_id, 1 + random(3)).catch(() => undefined),
    () => sendMessages(dying(), channel_id).catch(() => undefined),
    () => Promise.all([workDeliveries(worker, channel_id), workDeliveries(worker, channel_id)]),
    () => world.clock.advance(1_000 * random(90)),
    () => stage.slack.settled(),
  ]
  return { general, said, told, next: async () => all[random(all.length)]?.() }
}

test.each(seeds)(
  'whatever happens in whichever order, each message is one prompt and in its place (%i)',
  async (seed) => {
    const stage = await openStage(world)
    const ada = await stage.linked('Ada', stage.project.owner)
    const story = happenings(stage, ada, chance(seed))
    for (let step = 0; step < steps; step += 1) await story.next()
    // Whatever was under way comes to its end.
    for (let round = 0; round < 4; round += 1) {
      world.clock.advance(180_000)
      await stage.run()
    }
    const threads = await world.db
      .selectFrom('channel_threads')
      .selectAll()
      .where('channel_id', '=', stage.channel_id)
      .execute()
    expect(new Set(threads.map(({ root }) => root))).toEqual(new Set(story.said.keys()))
    const arrived = (await stage.deliveries()).flatMap(({ body, verdict, thread_id }) =>
      body?.kind === 'message' && body.text.startsWith('words')
        ? [{ text: body.text, verdict, thread_id }]
        : [],
    )
    expect(arrived.filter(({ verdict }) => verdict !== 'accepted')).toEqual([])
    const shown: string[] = []
    for (const { thread_id, session_id, root } of threads) {
      const prompts = (await stage.prompts(session_id ?? '')).map(({ text }) => text.split('\n')[2])
      expect(new Set(prompts)).toEqual(new Set(story.said.get(root)))
      expect(prompts).toEqual(arrived.filter((one) => one.thread_id === thread_id).map(({ text }) => text))
      const here = stage.said(root).flatMap(({ text }) => (text.startsWith('told') ? [text] : []))
      expect(here).toEqual(story.told.filter((text) => here.includes(text)))
      shown.push(...here)
    }
    expect(shown.sort()).toEqual([...story.told].sort())
    expect((await stage.sessionsHere()).length).toBe(threads.length)
  },
)
