import { randomUUID } from 'node:crypto'
import { openWorld } from '@svc/services/testing'
import { expect, test } from 'vitest'
import { workDeliveries } from '../src/worker/index.ts'
import { openStage, type Stage } from './support.ts'

const world = await openWorld({ session_cap: 500 })

/** People of Slack who act as the owner of the project. */
async function crowd({ slack, project }: Stage, size: number) {
  const people = Array.from({ length: size }, (_, index) => slack.workspace.addUser(`Person ${index}`))
  const { account_id, owner } = project
  await world.db
    .insertInto('channel_links')
    .values(
      people.map(({ id, display_name }) => ({
        ...{ link_id: randomUUID(), account_id, platform: 'chat_a', tenant: slack.workspace.team.id },
        ...{ external_user: id, display: display_name, user_id: owner.user_id, mfa: false },
        ...{ sso_account_id: null, created_at: world.clock.now(), revoked_at: null, last_used_at: null },
      })),
    )
    .execute()
  return people
}

test('a crowd of strangers is offered a link each, and starts nothing', async () => {
  const stage = await openStage(world)
  const strangers = Array.from({ length: 100 }, (_, n) => stage.slack.workspace.addUser(`Stranger ${n}`))
  for (const stranger of strangers) for (const text of ['help', 'please']) stage.mention(stranger, text)
  await stage.slack.settled()
  // Offers are sent at the pace that the platform takes, which is not waited for.
  await workDeliveries(stage.worker, stage.channel_id)
  expect(await stage.sessionsHere()).toEqual([])
  const verdicts = (await stage.deliveries()).map(({ verdict }) => verdict)
  expect(verdicts).toHaveLength(200)
  expect(new Set(verdicts)).toEqual(new Set(['held']))
  const offers = await world.db
    .selectFrom('channel_messages')
    .select(['kind', 'recipient'])
    .where('channel_id', '=', stage.channel_id)
    .execute()
  expect(offers).toHaveLength(100)
  expect(new Set(offers.map(({ recipient }) => recipient?.id))).toEqual(
    new Set(strangers.map(({ id }) => id)),
  )
})

test('messages of many threads that come at once, each as two events, are one prompt each and keep their order', async () => {
  const stage = await openStage(world)
  const { slack, general, channel_id, worker } = stage
  const people = await crowd(stage, 12)
  const threads = people.map((user) => ({ user, root: stage.mention(user, `${user.id} 0`) }))
  const turns = Array.from({ length: 12 }, (_, index) => index + 1)
  for (const turn of turns)
    for (const { user, root } of threads)
      slack.say({
        conversation: general,
        user,
        text: `<@${slack.bot.user_id}> ${user.id} ${turn}`,
        thread_ts: root,
      })
  // Two workers at once, while it still comes in.
  await Promise.all([workDeliveries(worker, channel_id), workDeliveries(worker, channel_id), slack.settled()])
  await workDeliveries(worker, channel_id)
  const deliveries = await stage.deliveries()
  expect(deliveries).toHaveLength(threads.length * (turns.length + 1))
  expect(new Set(deliveries.map(({ verdict }) => verdict))).toEqual(new Set(['accepted']))
  const sessions = await stage.sessionsHere()
  expect(sessions).toHaveLength(threads.length)
  const arrived = deliveries.flatMap(({ body, thread_id }) =>
    body?.kind === 'message' ? [{ thread_id, text: body.text }] : [],
  )
  const bound = await world.db
    .selectFrom('channel_threads')
    .select(['thread_id', 'session_id'])
    .where('channel_id', '=', channel_id)
    .execute()
  for (const { session_id } of sessions) {
    const { thread_id } = bound.find((thread) => thread.session_id === session_id) ?? {}
    const words = (await stage.prompts(session_id)).map(({ text }) => /U\d+ \d+$/m.exec(text)?.[0])
    const came = arrived.filter((one) => one.thread_id === thread_id)
    expect(words).toEqual(came.map(({ text }) => /U\d+ \d+$/.exec(text)?.[0]))
    expect(new Set(words).size).toBe(turns.length + 1)
  }
})
