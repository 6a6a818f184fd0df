import { expect, test } from 'vitest'
import type { RuntimeMessage } from '../runtimes/runtime.ts'
import { withHistory } from './history.ts'

const message = (role: 'user' | 'assistant', text: string, more: Partial<RuntimeMessage> = {}) => ({
  message_id: text,
  role,
  at: '2026-01-01T00:00:00.000Z',
  text,
  tools: [],
  error: null,
  ...more,
})

test('what was said comes first, quoted and marked; the prompt comes last, as it is', () => {
  const tools = [{ tool: 'bash', status: 'completed', title: 'Lists', input: {}, output: 'x' }]
  const text = withHistory(
    'And now?',
    [message('user', 'Do\n```sh\nls\n```'), message('assistant', 'Done', { tools })],
    1_000,
  )
  expect(text.endsWith('\n\nAnd now?')).toBe(true)
  expect(text).toContain('Prompt:\n> Do\n> ~~~sh\n> ls\n> ~~~')
  expect(text).toContain('You:\n> Done\n> [bash: Lists (completed)]')
  expect(text).not.toContain('```')
})

test('nothing was said: the prompt alone', () => {
  expect(withHistory('Hello', [], 1_000)).toBe('Hello')
})

test('of a long conversation the newest part is told, and that there was more', () => {
  const many = Array.from({ length: 50 }, (_, at) => message('user', `message ${at} ${'x'.repeat(100)}`))
  const text = withHistory('Next', many, 1_000)
  expect(text.length).toBeLessThan(1_500)
  expect(text).toContain('message 49 ')
  expect(text).not.toContain('message 1 ')
  expect(text).toMatch(/\(4\d earlier messages are left out\)/)
  expect(withHistory('Next', [message('user', 'y'.repeat(5_000))], 1_000)).toContain('y'.repeat(900))
})
