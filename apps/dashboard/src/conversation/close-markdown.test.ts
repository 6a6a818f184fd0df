import { expect, test } from 'vitest'
import { closeMarkdown } from './close-markdown.ts'

test.each([
  ['a whole sentence.', 'a whole sentence.'],
  ['```ts\nconst a', '```ts\nconst a\n```'],
  ['~~~~\nx', '~~~~\nx\n~~~~'],
  ['```\na\n```\nmore', '```\na\n```\nmore'],
  ['run `npm te', 'run `npm te`'],
  ['this is **very ', 'this is **very**'],
  ['`**` is bold', '`**` is bold'],
])('%j becomes %j', (text, closed) => {
  expect(closeMarkdown(text)).toBe(closed)
})
