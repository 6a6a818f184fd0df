import { expect, test } from 'vitest'
import { render } from '../render/render.ts'
import { type EventRoom, readEvent } from './event.ts'
import type { MatrixEvent } from './schema.ts'

const bot = { user_id: '@bot:x.example', name: 'Helper' }
const ada = '@ada:y.example'
const event = (more: Partial<MatrixEvent>): MatrixEvent => ({
  ...{ type: 'm.room.message', event_id: '$1', sender: ada, content: { msgtype: 'm.text', body: 'hi' } },
  ...more,
})
const roomOf = (events: readonly MatrixEvent[] = [], direct = false): EventRoom => ({
  ...{ room: '!r:x.example', bot, isDirect: async () => direct },
  eventOf: async (id) => events.find(({ event_id }) => event_id === id) ?? null,
})
const bodyOf = async (one: MatrixEvent, room = roomOf()) => (await readEvent(one, room))?.body ?? null

const content = render(
  { text: 'Stop?', buttons: [{ id: 'stop', label: 'Stop', style: 'danger' }] },
  { message_id: 'm1', revision: 1 },
)
const card = event({ event_id: '$card', sender: bot.user_id, content: { ...content } })
const reaction = (key: string, event_id = '$card', sender = ada) =>
  event({
    type: 'm.reaction',
    sender,
    content: { 'm.relates_to': { rel_type: 'm.annotation', event_id, key } },
  })

test('a message says who wrote it, of which homeserver', async () => {
  expect(await readEvent(event({}), roomOf([], true))).toEqual({
    ...{ platform_id: '$1', message_key: '!r:x.example:$1' },
    body: {
      ...{ kind: 'message', conversation: '!r:x.example', root: '$1', ref: '$1', direct: true, text: 'hi' },
      sender: { id: ada, tenant: 'y.example', display: ada },
      ...{ mentions_bot: false, names_other: false, skip: null, files: [] },
    },
  })
})

test.each([
  ['of the bot', { sender: bot.user_id }, 'bot'],
  ['of another bot', { content: { msgtype: 'm.notice', body: 'x' } }, 'bot'],
  ['of a place', { content: { msgtype: 'm.location', body: 'x' } }, 'system'],
  ['of an action', { content: { msgtype: 'm.emote', body: 'waves' } }, null],
])('a message %s', async (_what, more, skip) => {
  expect(await bodyOf(event(more))).toMatchObject({ skip })
})

test.each([
  ['one that was taken back', { content: {} }],
  [
    'an edit of the bot',
    {
      sender: bot.user_id,
      content: { msgtype: 'm.text', 'm.relates_to': { rel_type: 'm.replace', event_id: '$0' } },
    },
  ],
  ['a redaction of the bot', { type: 'm.room.redaction', sender: bot.user_id, content: { redacts: '$0' } }],
  ['a redaction of nothing', { type: 'm.room.redaction', content: {} }],
  ['another person who comes', { type: 'm.room.member', state_key: ada, content: { membership: 'join' } }],
  ['an invitation', { type: 'm.room.member', state_key: bot.user_id, content: { membership: 'invite' } }],
  [
    'a new name of the bot',
    {
      ...{ type: 'm.room.member', state_key: bot.user_id, content: { membership: 'join' } },
      unsigned: { prev_content: { membership: 'join' } },
    },
  ],
  ['another event', { type: 'm.room.topic', content: {} }],
])('nothing comes of %s', async (_what, more) => expect(await bodyOf(event(more))).toBeNull())

test('a redaction names its event in rooms of each version', async () => {
  const deleted = { kind: 'deleted', conversation: '!r:x.example', ref: '$0' }
  const type = 'm.room.redaction'
  expect(await bodyOf(event({ type, content: { redacts: '$0' } }))).toEqual(deleted)
  expect(await bodyOf(event({ type, content: {}, redacts: '$0' }))).toEqual(deleted)
})

test('a reaction presses the button of a card', async () => {
  const room = roomOf([card])
  const press = { kind: 'action', root: '$card', ref: '$card', message_id: 'm1', action: 'stop', text: null }
  expect(await bodyOf(reaction('🛑'), room)).toMatchObject(press)
  for (const none of [
    reaction('✅'),
    reaction('🛑', '$gone'),
    reaction('🛑', '$card', bot.user_id),
    event({ type: 'm.reaction', content: {} }),
  ])
    expect(await bodyOf(none, room)).toBeNull()
})

test('a card that another wrote, or edited, is none', async () => {
  const forged = { ...card, event_id: '$forged', sender: ada }
  expect(await bodyOf(reaction('🛑', '$forged'), roomOf([forged]))).toBeNull()
  const other = render(
    { text: '', buttons: [{ id: 'other', label: 'x', style: 'danger' }] },
    { message_id: 'm2', revision: 2 },
  )
  const edited = (sender: string) => ({
    ...card,
    unsigned: { 'm.relations': { 'm.replace': { sender, content: { 'm.new_content': other } } } },
  })
  expect(await bodyOf(reaction('🛑'), roomOf([edited(ada)]))).toMatchObject({ action: 'stop' })
  expect(await bodyOf(reaction('🛑'), roomOf([edited(bot.user_id)]))).toMatchObject({
    ...{ action: 'other', message_id: 'm1' },
  })
})

test('a reply to a card that asks for nothing is a message in its thread', async () => {
  const inThread = {
    ...card,
    content: { ...card.content, 'm.relates_to': { rel_type: 'm.thread', event_id: '$root' } },
  }
  const reply = { msgtype: 'm.text', body: 'hi', 'm.relates_to': { 'm.in_reply_to': { event_id: '$card' } } }
  expect(await bodyOf(event({ content: reply }), roomOf([inThread]))).toMatchObject({
    kind: 'message',
    root: '$root',
  })
  expect(await bodyOf(event({ content: reply }))).toMatchObject({ kind: 'message', root: '$1' })
})
