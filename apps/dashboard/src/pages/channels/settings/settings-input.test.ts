import type { Channel } from '@svc/sdk'
import { expect, test } from 'vitest'
import { conversationsProblem, fieldsOf, noConversation, settingsInput } from './settings-input.ts'

const channel: Channel = {
  channel_id: 'c',
  project_id: 'p',
  slug: 'svc_chat_a',
  name: 'Slack',
  platform: 'chat_a',
  status: 'connected',
  transport: 'events',
  agent: 'helper',
  policy: 'owner_approval',
  thread_replies: 'all',
  conversations: { C1: { name: 'support', policy: 'project_open' }, C2: { agent: 'careful' } },
  settings: {},
  identity: null,
  blocked_until: null,
  last_error: null,
  last_received_at: null,
  created_by: null,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  receive_url: null,
}
const before = fieldsOf(channel)

test('the form shows what is set, and sends nothing where nothing differs', () => {
  expect(before.conversations).toEqual([
    { id: 'C1', name: 'support', agent: '', policy: 'project_open' },
    { id: 'C2', name: '', agent: 'careful', policy: '' },
  ])
  expect(settingsInput(channel, before)).toBeNull()
})

test('only what differs is sent; no agent is the default one', () => {
  expect(settingsInput(channel, { ...before, name: ' Help ', agent: '' })).toEqual({
    name: 'Help',
    agent: null,
  })
  expect(settingsInput(channel, { ...before, thread_replies: 'mention' })).toEqual({
    thread_replies: 'mention',
  })
})

test('conversations are sent whole, without their empty fields', () => {
  const conversations = [...before.conversations.slice(1), { ...noConversation, id: ' C3 ', name: 'ops' }]
  expect(settingsInput(channel, { ...before, conversations })).toEqual({
    conversations: { C2: { agent: 'careful' }, C3: { name: 'ops' } },
  })
})

test.each([
  [['C1', 'C2'], null],
  [['C1', ' '], 'Each conversation needs its id.'],
  [['C1', 'C1 '], 'The conversation C1 stands there twice.'],
])('the conversations %j have the problem %j', (ids, problem) => {
  expect(conversationsProblem(ids.map((id) => ({ ...noConversation, id })))).toBe(problem)
})
