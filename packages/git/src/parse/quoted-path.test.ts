import { expect, test } from 'vitest'
import { unquotePath } from './quoted-path.ts'

test.each([
  ['plain.txt', 'plain.txt'],
  ['with space', 'with space'],
  ['"a\\tb\\nc"', 'a\tb\nc'],
  ['"\\"quoted\\" \\\\ back"', '"quoted" \\ back'],
  ['"\\303\\274n\\303\\257/\\346\\227\\245"', 'ünï/日'],
  ['"\\001\\177"', '\u0001\u007f'],
  ['"f\\374r"', 'f\ufffdr'],
])('%s', (text, path) => expect(unquotePath(text)).toBe(path))
