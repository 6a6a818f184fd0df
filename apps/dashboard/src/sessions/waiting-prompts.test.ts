import type { InboxPrompt } from '@svc/sdk'
import { expect, test } from 'vitest'
import { waitingPrompts } from './waiting-prompts.ts'

const prompt = (prompt_id: string, state: InboxPrompt['state']): InboxPrompt => ({
  prompt_id,
  state,
  text: prompt_id,
  source: 'user',
  agent: null,
  model: null,
  error: null,
  created_by: 'somebody',
  created_at: '',
  updated_at: '',
})

test('what the sandbox has comes before what it has not', () => {
  const { running, waiting } = waitingPrompts(
    [prompt('c', 'pending')],
    [prompt('b', 'delivered')],
    [prompt('a', 'running')],
  )
  expect([running?.prompt_id, ...waiting.map(({ prompt_id }) => prompt_id)]).toEqual(['a', 'b', 'c'])
  expect(waitingPrompts([], [], [])).toEqual({ running: undefined, waiting: [] })
})

test('one that moved on between two readings stands once, where it is now', () => {
  const pending = [prompt('a', 'pending'), prompt('b', 'pending'), prompt('c', 'pending')]
  const delivered = [prompt('a', 'delivered'), prompt('b', 'delivered')]
  const { running, waiting } = waitingPrompts(pending, delivered, [prompt('a', 'running')])
  expect(running?.state).toBe('running')
  expect(waiting.map(({ prompt_id, state }) => [prompt_id, state])).toEqual([
    ['b', 'delivered'],
    ['c', 'pending'],
  ])
})
