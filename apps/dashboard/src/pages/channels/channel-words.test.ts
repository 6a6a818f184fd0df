import { channelPolicies, threadReplies } from '@svc/channel/states'
import { expect, test } from 'vitest'
import { placeText, policies, reasonText, replyOptions, platformWord } from './channel-words.ts'

test('every policy and every rule of replies can be chosen', () => {
  expect(policies.map(([key]) => key).sort()).toEqual([...channelPolicies].sort())
  expect(replyOptions.map(([key]) => key).sort()).toEqual([...threadReplies].sort())
})

test.each([
  [null, ''],
  ['not_addressed', 'does not name the bot'],
  ['of_a_newer_platform', 'of a newer platform'],
])('the reason %j reads %j', (reason, text) => expect(reasonText(reason)).toBe(text))

test.each([
  ['email', 'shop/2f91a59005ecd018', 'by mail'],
  ['chat_a', 'T0123ABCD/C024BE91L/1795429800.000100', 'in the conversation C024BE91L'],
  ['chat_b', '!room:example.org/$event', 'in the conversation !room:example.org'],
] as const)('a thread of %s with the key %s is %s', (platform, key, text) =>
  expect(placeText(platform, key)).toBe(text),
)

test('mail is no name within a sentence', () => {
  expect([platformWord('email'), platformWord('chat_a')]).toEqual(['mail', 'Slack'])
})
