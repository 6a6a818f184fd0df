import { expect, test } from 'vitest'
import { firstMention, mentions, readable, withoutMention } from './text.ts'

test.each([
  ['a &lt; b &amp;&amp; c &gt; d', 'a < b && c > d'],
  ['&amp;lt;', '&lt;'],
  ['<@U1> and <@U1|ada>', '@U1 and @ada'],
  ['<#C1> and <#C1|general>', '#C1 and #general'],
  ['<!here> <!channel|channel> <!subteam^S1|@team> <!subteam^S1>', '@here channel @team @S1'],
  ['<!date^1392734382^{date}|Feb 18>', 'Feb 18'],
  ['<https://x.example>', 'https://x.example'],
  ['<https://x.example/?a=1&amp;b=2|label>', 'label (https://x.example/?a=1&b=2)'],
  ['<http://x.example|x.example>', 'http://x.example'],
  ['<mailto:a@x.example|a@x.example>', 'a@x.example'],
  ['*bold* `code`', '*bold* `code`'],
])('%j reads %j', (text, expected) => expect(readable(text)).toBe(expected))

test.each([
  ['<@BOT> fix it', 'fix it'],
  ['hey <@BOT|helper> fix it', 'hey fix it'],
  ['fix it <@BOT>', 'fix it'],
  ['<@BOT2> fix', '<@BOT2> fix'],
])('%j without the bot', (text, expected) => expect(withoutMention(text, 'BOT')).toBe(expected))

test('an id is no pattern', () => {
  expect(withoutMention('<@.*> <@a> hi', '.*')).toBe('<@a> hi')
  expect(mentions('<@BOT>', '(B+)+')).toBe(false)
})

test('a text begins with a mention, or has one', () => {
  expect(firstMention(' <@U1|ada> hi')).toBe('U1')
  expect(firstMention('hi <@U1>')).toBeUndefined()
  expect([mentions('hi <@BOT>', 'BOT'), mentions('hi <@BOT2>', 'BOT')]).toEqual([true, false])
})
