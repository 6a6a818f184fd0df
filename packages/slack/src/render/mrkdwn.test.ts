import { expect, test } from 'vitest'
import { fenced, mrkdwn } from './mrkdwn.ts'

const written = (markdown: string) =>
  mrkdwn(markdown)
    .map(({ text, isCode }) => (isCode ? fenced(text) : text))
    .join('\n\n')

test.each([
  ['plain words', 'plain words'],
  ['**bold** and __bold__', '*bold* and *bold*'],
  ['*italic* and _italic_', '_italic_ and _italic_'],
  ['***both***', '_*both*_'],
  ['~~gone~~', '~gone~'],
  ['# Heading', '*Heading*'],
  ['## A **bold** *one*', '*A bold _one_*'],
  ['**a **b** c**', '*a b c*'],
  ['**one\ntwo**', '*one*\n*two*'],
  ['a\nb\n\nc', 'a\nb\n\nc'],
  ['`a < b`', '`a &lt; b`'],
  ['``a ` b``', '`a ´ b`'],
  ['```ts\nif (a && b) {}\n```', '```\nif (a &amp;&amp; b) {}\n```'],
  ['~~~\n```\n~~~', '```\n`\u200b`\u200b`\n```'],
  ['- a\n- b\n  - c', '• a\n• b\n    • c'],
  ['3. a\n4. b', '3. a\n4. b'],
  ['- [ ] a\n- [x] b', '• ☐ a\n• ☑ b'],
  ['> a\n> b', '> a\n> b'],
  ['a\n\n---\n\nb', 'a\n\n———\n\nb'],
  ['[label](https://x.example/?a=1&b=2)', '<https://x.example/?a=1&amp;b=2|label>'],
  ['[**bold** label](https://x.example)', '<https://x.example|bold label>'],
  ['see https://x.example/a_b_c.', 'see <https://x.example/a_b_c>.'],
  ['<https://x.example>', '<https://x.example>'],
  ['<a@x.example>', '<mailto:a@x.example>'],
  ['main.ts and x.example', 'main.ts and x.example'],
  ['![a cat](https://x.example/cat.png)', '<https://x.example/cat.png|a cat>'],
  ['[label](file.ts)', 'label'],
  ['[label](javascript:alert(1))', '[label](javascript:alert(1))'],
  ['|a|bb|\n|-|-|\n|ccc|d|', '```\na   | bb\nccc | d\n```'],
  ['<b>not bold</b>', '&lt;b&gt;not bold&lt;/b&gt;'],
  ['&lt;!channel&gt;', '&lt;!channel&gt;'],
  ['a &amp; b & c', 'a &amp; b &amp; c'],
  ['', ''],
])('%j', (markdown, expected) => expect(written(markdown)).toBe(expected))

test.each([
  '<!channel>',
  '<!here|here>',
  '<@U0123456>',
  '<#C0123456>',
  '<!subteam^S1|@team>',
  '[x](<!channel>)',
  '[x](!channel)',
  '[<!channel>](https://x.example)',
  '[x](https://x.example/|<!channel>)',
  '`<!channel>`',
  '```\n<!channel>\n```',
  '![<@U1>](https://x.example)',
  '|<!here>|\n|-|\n|<@U1>|',
])('%j names no one', (markdown) => expect(written(markdown)).not.toMatch(/<[!@#]/))

test('the time of a text grows with its length alone', () => {
  const began = performance.now()
  for (const mark of ['_a*', '[', '~~a', '> ', '`', '[a](', '<', '* a\n  ']) mrkdwn(mark.repeat(12_000))
  expect(performance.now() - began).toBeLessThan(10_000)
})
