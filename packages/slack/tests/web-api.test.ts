import { ChannelRefused, MessageRefused, RateLimited } from '@svc/channel'
import { expect, test } from 'vitest'
import { slackChannel } from '../src/index.ts'
import { fakeSlack, named, never, tokens, wireOf, words } from './support.ts'

async function world(more: Parameters<typeof fakeSlack>[0] = {}) {
  const slack = await fakeSlack(more)
  const conversation = slack.workspace.addConversation('general')
  const user = slack.workspace.addUser('Ada')
  const channel = slackChannel({ bot_token: tokens.bot_token, api_url: slack.api_url, wire: wireOf() })
  const root = slack.say({ conversation, user, text: 'hello' })
  const place = { conversation: conversation.id, root }
  return { slack, conversation, user, channel, place }
}

test('the bot says who it is', async () => {
  const { slack, channel } = await world()
  expect(await channel.identify(never)).toEqual({
    tenant: slack.team.id,
    tenant_name: 'Fake',
    user_id: slack.bot.user_id,
    name: 'helper',
  })
})

test('a message goes to its thread, with its name, and is edited in its place', async () => {
  const { slack, conversation, channel, place } = await world()
  const ref = await channel.post(
    place,
    words('**Done**', { buttons: [{ id: 'b', label: 'B' }] }),
    named(),
    never,
  )
  const [, message] = slack.posts(conversation, place.root)
  const metadata = { event_type: 'svc_message', event_payload: { message_id: 'm1', revision: 1 } }
  expect(message).toMatchObject({ ts: ref, text: '*Done*', thread_ts: place.root, metadata })
  expect(message?.blocks).toMatchObject([
    { type: 'section', block_id: 'svc:m1:1:0', text: { text: '*Done*', verbatim: true } },
    { type: 'actions', elements: [{ action_id: 'svc:0', value: 'b' }] },
  ])
  expect(slack.calls.at(-1)?.args).toMatchObject({
    unfurl_links: 'false',
    unfurl_media: 'false',
    parse: 'none',
  })

  await channel.edit(place, ref, words('Gone'), named('m1', 2), never)
  expect(slack.posts(conversation, place.root)).toHaveLength(2)
  expect(message).toMatchObject({ text: 'Gone', metadata: { event_payload: { revision: 2 } } })
  expect(message?.blocks).toHaveLength(1)
})

test('a message begins a thread', async () => {
  const { slack, conversation, channel } = await world()
  const ref = await channel.begin(conversation.id, words('News'), named(), never)
  expect(slack.posts(conversation).at(-1)).toMatchObject({ ts: ref, text: 'News' })
  expect(slack.posts(conversation).at(-1)?.thread_ts).toBeUndefined()
})

test('a message whose answer was lost is found by its name, in a long thread too', async () => {
  const { slack, conversation, user, channel, place } = await world()
  const since = new Date()
  for (let n = 0; n < 230; n += 1) slack.say({ conversation, user, text: `n ${n}`, thread_ts: place.root })
  slack.loseAnswers(1)
  await expect(channel.post(place, words('Once'), named('lost'), never)).rejects.not.toBeInstanceOf(
    MessageRefused,
  )
  const ref = slack.posts(conversation, place.root).at(-1)?.ts
  expect(await channel.find?.(place, 'lost', since, never)).toBe(ref)
  expect(slack.calls.filter(({ method }) => method === 'conversations.replies')).toHaveLength(2)
  expect(slack.posts(conversation).filter(({ text }) => text === 'Once')).toHaveLength(1)
  expect(await channel.find?.(place, 'other', since, never)).toBeNull()
  expect(await channel.find?.(place, 'lost', new Date(Date.now() + 120_000), never)).toBeNull()
})

test('one that begins a thread is found as well', async () => {
  const { slack, conversation, channel } = await world()
  slack.loseAnswers(1)
  await expect(channel.begin(conversation.id, words('Once'), named('lost'), never)).rejects.toThrow()
  const place = { conversation: conversation.id, root: null }
  expect(await channel.find?.(place, 'lost', new Date(), never)).toBe(slack.posts(conversation).at(-1)?.ts)
})

test('one person is spoken to beside the thread', async () => {
  const { slack, conversation, user, channel, place } = await world()
  const person = { id: user.id, tenant: slack.team.id, display: 'Ada' }
  await channel.whisper(
    place,
    person,
    words('Link yourself', { buttons: [{ id: 'l', label: 'Link', url: 'https://x' }] }),
    named(),
    never,
  )
  expect(slack.workspace.ephemerals).toMatchObject([
    { conversation: conversation.id, user: user.id, thread_ts: place.root, text: 'Link yourself' },
  ])
})

test('the thread before a message is read, the newest lines, oldest first', async () => {
  const { slack, conversation, user, channel, place } = await world()
  const [two = ''] = ['two', 'three', 'four'].map((text) =>
    slack.say({ conversation, user, text, thread_ts: place.root }),
  )
  await channel.post(place, words('Answer'), named(), never)
  const before = slack.say({ conversation, user, text: 'now', thread_ts: place.root })
  const lines = await channel.history(place, before, 4, never)
  expect(lines.map(({ text, is_bot }) => [text, is_bot])).toEqual([
    ['two', false],
    ['three', false],
    ['four', false],
    ['Answer', true],
  ])
  expect(lines[0]).toEqual({
    ref: two,
    sender: { id: user.id, tenant: slack.team.id, display: user.id },
    is_bot: false,
    text: 'two',
  })
  expect((await channel.history(place, before, 9, never)).map(({ text }) => text)[0]).toBe('hello')
  expect(await channel.history(place, place.root, 9, never)).toEqual([])
})

test('names are those of profiles and conversations, or the ids', async () => {
  const { slack, conversation, user, channel } = await world()
  const direct = slack.workspace.addConversation('', 'im')
  expect(await channel.nameOf({ user: user.id }, never)).toBe('Ada')
  expect(await channel.nameOf({ user: 'U404' }, never)).toBe('U404')
  expect(await channel.nameOf({ conversation: conversation.id }, never)).toBe('general')
  expect(await channel.nameOf({ conversation: direct.id }, never)).toBe(direct.id)
  const { channel: poor } = await world({ scopes: [] })
  expect(await poor.nameOf({ user: 'U1' }, never)).toBe('U1')
})

test.each([
  ['is_archived', async ({ conversation }) => void (conversation.is_archived = true)],
  ['not_in_channel', async ({ conversation }) => void (conversation.has_bot = false)],
  [
    'channel_not_found',
    async ({ slack, conversation }) => void slack.workspace.conversations.delete(conversation.id),
  ],
] as const satisfies readonly (readonly [string, (w: Awaited<ReturnType<typeof world>>) => Promise<void>])[])(
  'a message is refused: %s',
  async (code, spoil) => {
    const all = await world()
    await spoil(all)
    const refused = all.channel.post(all.place, words('x'), named(), never)
    await expect(refused).rejects.toThrow(new MessageRefused(`Slack refused it: ${code}`))
  },
)

test('a message of others, or one that is gone, is not changed', async () => {
  const { channel, place } = await world()
  const edit = (ref: string) => channel.edit(place, ref, words('x'), named(), never)
  await expect(edit(place.root)).rejects.toThrow(/cant_update_message/)
  await expect(edit('1.000001')).rejects.toBeInstanceOf(MessageRefused)
})

test('a wait that Slack asks for is passed on, at least a second, and nothing is tried again', async () => {
  const { slack, channel, place } = await world()
  slack.limit(1, 7)
  const post = () => channel.post(place, words('x'), named(), never)
  await expect(post()).rejects.toMatchObject({ name: 'RateLimited', retry_after_ms: 7_000 })
  slack.limit(1, 0)
  await expect(post()).rejects.toEqual(new RateLimited(1_000))
  expect(slack.calls).toHaveLength(2)
  await post()
})

test('an answer that is none of Slack, or none at all, may be tried again', async () => {
  const { slack, channel } = await world()
  slack.break(1)
  const error = await channel.identify(never).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ name: 'Error', message: 'Slack answered with status 503' })
  await slack.close()
  await expect(channel.identify(never)).rejects.not.toBeInstanceOf(ChannelRefused)
  const away = slackChannel({ bot_token: 'x', api_url: 'http://127.0.0.1:25/api/', wire: wireOf() })
  await expect(away.identify(never)).rejects.toMatchObject({ reason: 'unreachable' })
})

test('a token that is of no use is refused', async () => {
  const { slack, channel } = await world()
  slack.revoke()
  await expect(channel.identify(never)).rejects.toMatchObject({ reason: 'credential_refused' })
  const other = slackChannel({ bot_token: 'xoxb-other', api_url: slack.api_url, wire: wireOf() })
  await expect(other.identify(never)).rejects.toMatchObject({
    name: 'ChannelRefused',
    reason: 'credential_refused',
  })
})

test('a missing scope is named', async () => {
  const { channel, place } = await world({ scopes: ['users:read'] })
  const post = channel.post(place, words('x'), named(), never)
  await expect(post).rejects.toMatchObject({
    reason: 'missing_scope',
    message: expect.stringContaining('chat:write'),
  })
})

test('an address that is not public is refused', async () => {
  const { slack } = await world()
  const channel = slackChannel({ bot_token: tokens.bot_token, api_url: slack.api_url, wire: wireOf([]) })
  await expect(channel.identify(never)).rejects.toMatchObject({
    name: 'ChannelRefused',
    reason: 'private_address',
  })
  expect(slack.calls).toHaveLength(0)
})

test('the checks name what is wrong', async () => {
  const { slack, channel } = await world()
  expect((await channel.check(never)).map(({ name, ok }) => [name, ok])).toEqual([
    ['address', true],
    ['credential', true],
    ['scopes', true],
  ])
  const poor = await world({ scopes: ['chat:write', 'im:history'] })
  const [, , scopes] = await poor.channel.check(never)
  expect(scopes).toMatchObject({
    ok: false,
    message: expect.stringContaining('app_mentions:read (mentions of the bot)'),
  })
  expect(scopes?.message).not.toContain('chat:write')
  slack.revoke()
  expect(await channel.check(never)).toMatchObject([{ ok: true }, { name: 'credential', ok: false }])
  const closed = slackChannel({ bot_token: 'x', api_url: slack.api_url, wire: wireOf([]) })
  expect(await closed.check(never)).toMatchObject([{ name: 'address', ok: false, message: /not public/ }])
})

test('a call ends with its signal', async () => {
  const { channel } = await world()
  await expect(channel.identify(AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop')
})
