import { channelPolicies, threadReplies } from '@svc/channel/states'
import { expect, test } from 'vitest'
import { policiesOf, reasonText, replyOptions } from './channel-words.ts'

test('every policy and every rule of replies can be chosen', () => {
  expect(
    policiesOf('chat_a')
      .map(([key]) => key)
      .sort(),
  ).toEqual([...channelPolicies].sort())
  expect(replyOptions.map(([key]) => key).sort()).toEqual([...threadReplies].sort())
})

test.each([
  [null, ''],
  ['not_addressed', 'does not name the bot'],
  ['of_a_newer_platform', 'of a newer platform'],
])('the reason %j reads %j', (reason, text) => expect(reasonText(reason)).toBe(text))
