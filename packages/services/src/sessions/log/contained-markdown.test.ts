import { expect, test } from 'vitest'
import { containedMarkdown, withoutControls } from './contained-markdown.ts'

test.each([
  ['a fence that nobody closed', 'see\n````ts\ncode\n```', 'see\n````ts\ncode\n```\n````'],
  ['one of tildes', '~~~\n```\nx', '~~~\n```\nx\n~~~'],
  ['one that is closed', '```\n<!-- x\n## Agent · now\n```', '```\n<!-- x\n## Agent · now\n```'],
  ['code within a line', '``` a ``` b', '``` a ``` b'],
  ['a heading as of the transcript', '## Prompt · now\n## Other', '\\## Prompt · now\n## Other'],
  ['HTML without an end', '<!-- gone\n  <script>x', '\\<!-- gone\n  \\<script>x'],
  ['ordinary HTML and generics', '<b>x</b>\nMap<K, V>', '<b>x</b>\nMap<K, V>'],
])('%s', (_, text, contained) => {
  expect(containedMarkdown(text)).toBe(contained)
})

test('no control character reaches a terminal, nor turns what follows around', () => {
  expect(withoutControls('\u001b[2Ja\u0007b\tc\r\nd\u009be\u202ef')).toBe('�[2Ja�b\tc\nd�e�f')
})
