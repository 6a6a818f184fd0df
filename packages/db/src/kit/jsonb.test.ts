import { expect, test } from 'vitest'
import { jsonb } from './jsonb.ts'

test.each([
  [{ text: 'a\0b' }, { text: 'a\ufffdb' }],
  [{ text: 'cut \ud83d' }, { text: 'cut \ufffd' }],
  [{ 'k\0': '\udc00' }, { 'k\ufffd': '\ufffd' }],
  ['whole \u{1f600}', 'whole \u{1f600}'],
  ['\\u0000 as people write it', '\\u0000 as people write it'],
  ['\\\0', '\\\ufffd'],
  ['\\ud800 "\n', '\\ud800 "\n'],
  [null, null],
])('%j is kept as %j', (value, kept) => {
  expect(JSON.parse(jsonb(value))).toEqual(kept)
})
