import { randomUUID } from 'node:crypto'
import { jsonb, type ListenPayloads, notify } from '@svc/db'
import { channelDeliveries } from '@svc/db/channels'
import { openWorld } from '@svc/services/testing'
import { expect, test } from 'vitest'
import { openStage, type Stage } from './support.ts'

const world = await openWorld()

const marker: ListenPayloads['change'] = { kind: 'channel', project_id: 'marker', id: 'marker' }

/** Words about the channel of a stage, and about a marker, as they come from now on. */
async function words({ channel_id }: Stage): Promise<{ readonly told: string[]; stop(): void }> {
  const told: string[] = []
  const add = (word: string, id: string | undefined) => {
    if (id === channel_id || id === 'marker') told.push(id === 'marker' ? id : word)
  }
  const stops = [
    world.base.listener.subscribe('channel', (word) => add('channel', word?.channel_id)),
    world.base.listener.subscribe('change', (word) => add(`change of ${word?.kind}`, word?.id)),
  ]
  await expect
    .poll(async () => {
      await notify(world.db, 'change', marker)
      return told
    })
    .toContain('marker')
  told.length = 0
  return { told, stop: () => stops.forEach((stop) => stop()) }
}

test('what came in is committed without a word, for which it would wait behind every other commit', async () => {
  const stage = await openStage(world)
  const { told, stop } = await words(stage)
  const { channel_id, account_id, project_id } = await stage.row()
  const [delivery_id, now] = [randomUUID(), world.clock.now()]
  await channelDeliveries.insert(world.db, [
    {
      ...{ delivery_id, channel_id, account_id, project_id, platform_id: delivery_id, message_key: null },
      ...{ received_at: now, kind: 'deleted', sender: '', thread_key: 'C1', verdict: 'pending' },
      body: jsonb({ kind: 'deleted', conversation: 'C1', ref: '1.1' }),
      ...{ reason: null, thread_id: null, prompt_id: null, link_id: null, retry_at: now, judged_at: null },
    },
  ])
  await notify(world.db, 'change', marker)
  await expect.poll(() => told).toContain('marker')
  expect(told.filter((word) => word !== 'marker')).toEqual([])
  stop()
})

test('its worker and the pages of its channel learn of it after that', async () => {
  const stage = await openStage(world)
  const { told, stop } = await words(stage)
  stage.mention(stage.slack.workspace.addUser('Ada'), 'hello')
  await stage.slack.settled()
  await expect.poll(() => told).toEqual(expect.arrayContaining(['channel', 'change of channel']))
  stop()
})
