import { ChannelRefused, MessageRefused, RateLimited } from '@svc/channel'
import { expect, test } from 'vitest'
import { slackChannel } from '../src/index.ts'
import { fakeSlack, named, never, tokens, wireOf } from './support.ts'

const content = Buffer.from([0, 1, 2, 255, 13, 10, 0])
const file = { name: 'data.bin', type: 'application/octet-stream', content }

async function world(scopes?: readonly string[]) {
  const slack = await fakeSlack(scopes && { scopes })
  const channel = slackChannel({ bot_token: tokens.bot_token, api_url: slack.api_url, wire: wireOf() })
  const general = slack.workspace.addConversation('general')
  const root = slack.say({ conversation: general, user: slack.workspace.addUser('Ada'), text: 'hello' })
  const place = { conversation: general.id, root }
  const share = (upload: string) => channel.postFile(place, { ...file, upload }, named(), never)
  const shown = () => slack.posts(general, root).flatMap(({ files = [] }) => files)
  return { slack, channel, general, place, share, shown }
}

test('a file is handed over, shown in its thread, and found there', async () => {
  const { slack, channel, place, share, shown } = await world()
  const upload = (await channel.upload?.(file, never)) ?? ''
  expect(shown()).toEqual([])
  expect(await channel.findFile?.(place, upload, never)).toBeNull()
  expect(await share(upload)).toBe(upload)
  expect(shown()).toMatchObject([{ id: upload, name: 'data.bin', size: content.length }])
  expect(Buffer.from(slack.workspace.files.get(upload)?.content ?? [])).toEqual(content)
  expect(await channel.findFile?.(place, upload, never)).toBe(upload)
  await expect(share(upload)).rejects.toBeInstanceOf(MessageRefused)
  expect(shown()).toHaveLength(1)
})

test('one that begins a thread stands in the conversation', async () => {
  const { channel, general, place } = await world()
  const upload = (await channel.upload?.(file, never)) ?? ''
  await channel.postFile({ ...place, root: null }, { ...file, upload }, named(), never)
  expect(general.messages.at(-1)).toMatchObject({ files: [{ id: upload }] })
  expect(general.messages.at(-1)?.thread_ts).toBeUndefined()
})

test('one whose answer was lost is found, and not shown twice', async () => {
  const { slack, channel, place, share, shown } = await world()
  const upload = (await channel.upload?.(file, never)) ?? ''
  slack.loseAnswers(1)
  await expect(share(upload)).rejects.not.toBeInstanceOf(MessageRefused)
  expect(await channel.findFile?.(place, upload, never)).toBe(upload)
  expect(shown()).toHaveLength(1)
})

test('limits, mishaps and a scope that is missing are said as such', async () => {
  const { slack, channel } = await world()
  slack.limit(1, 7)
  await expect(channel.upload?.(file, never)).rejects.toEqual(new RateLimited(7_000))
  slack.break(1)
  await expect(channel.upload?.(file, never)).rejects.not.toBeInstanceOf(MessageRefused)
  expect(slack.uploads.received).toBe(0)
  const { channel: other } = await world(['chat:write'])
  await expect(other.upload?.(file, never)).rejects.toMatchObject(
    new ChannelRefused('missing_scope', 'The token lacks the scope files:write'),
  )
})
