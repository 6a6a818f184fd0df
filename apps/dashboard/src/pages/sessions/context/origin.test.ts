import { expect, test } from 'vitest'
import { channelOf } from './origin.ts'

test.each([
  ['channel', { channel: { slug: 'svc_chat_a', thread_id: 't' } }, 'svc_chat_a'],
  ['channel', { channel: null }, null],
  ['channel', { channel: { slug: 1 } }, null],
  ['channel', {}, null],
  ['api', { channel: { slug: 'svc_chat_a' } }, null],
] as const)('a session by %s with %j is of the channel %j', (origin, metadata, slug) =>
  expect(channelOf({ origin, metadata })).toBe(slug),
)
