import { expect, test } from 'vitest'
import { conversation } from './transcript.ts'

const at = new Date('2026-01-01T00:00:00Z')

test('the log folds into messages with their tools, each at its last report', async () => {
  const messages = await conversation([
    { type: 'prompt', at, payload: { prompt_id: 'p1', text: 'do it', source: 'user' } },
    {
      type: 'tool',
      at,
      payload: { message_id: 'm1', call_id: 'c1', tool: 'write', status: 'running', input: { a: 1 } },
    },
    {
      type: 'tool',
      at,
      payload: {
        message_id: 'm1',
        call_id: 'c1',
        tool: 'write',
        status: 'completed',
        input: { a: 1 },
        output: 'ok',
        title: 't',
      },
    },
    { type: 'message', at, payload: { message_id: 'u1', role: 'user', text: 'do it' } },
    { type: 'message', at, payload: { message_id: 'm1', role: 'assistant', text: 'working', error: null } },
    { type: 'message', at, payload: { message_id: 'm1', role: 'assistant', text: 'done', error: null } },
  ])
  expect(messages).toEqual([
    { message_id: 'p1', role: 'user', at: at.toISOString(), text: 'do it', tools: [], error: null },
    {
      message_id: 'm1',
      role: 'assistant',
      at: at.toISOString(),
      text: 'done',
      tools: [{ tool: 'write', status: 'completed', title: 't', input: { a: 1 }, output: 'ok' }],
      error: null,
    },
  ])
})
