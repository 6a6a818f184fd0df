import { expect, test } from 'vitest'
import { feedbackOf } from './feedback.ts'

test('feedback is read from the metadata, and what is not of its shape is left', () => {
  const entry = { text: 'Add a test', by: 'u1', at: '2026-01-01T00:00:00Z' }
  expect(feedbackOf({ metadata: { requested_changes: [entry, { text: 1 }, null] } })).toEqual([entry])
  expect(feedbackOf({ metadata: {} })).toEqual([])
})
