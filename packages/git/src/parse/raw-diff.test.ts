import { expect, test } from 'vitest'
import { parseRawDiff } from './raw-diff.ts'

const head = (status: string) => `:100644 100644 aaaaaaa bbbbbbb ${status}`

test('nothing changed', () => {
  expect(parseRawDiff('')).toEqual([])
})

test('every status, with its counts', () => {
  const output = [
    `${head('A')}\tnew`,
    `${head('M')}\t"odd\\tna\\nme"`,
    `${head('D')}\told one`,
    `${head('R087')}\tfrom\tto`,
    `${head('C100')}\tfrom\t"c\\303\\274py"`,
    `${head('T')}\tlink`,
    ...[
      '3\t0\tnew',
      '1\t2\t"odd\\tna\\nme"',
      '0\t9\told one',
      '1\t1\tfrom => to',
      '0\t0\tfrom => x',
      '-\t-\tlink',
    ],
    '',
  ].join('\n')
  expect(parseRawDiff(output)).toEqual([
    { path: 'new', old_path: null, status: 'added', additions: 3, deletions: 0, binary: false },
    { path: 'odd\tna\nme', old_path: null, status: 'modified', additions: 1, deletions: 2, binary: false },
    { path: 'old one', old_path: null, status: 'deleted', additions: 0, deletions: 9, binary: false },
    { path: 'to', old_path: 'from', status: 'renamed', additions: 1, deletions: 1, binary: false },
    { path: 'cüpy', old_path: 'from', status: 'copied', additions: 0, deletions: 0, binary: false },
    { path: 'link', old_path: null, status: 'typechange', additions: 0, deletions: 0, binary: true },
  ])
})
