import { expect, test } from 'vitest'
import { conflictMessage, conflictPaths, nameSides, ownPaths, parseMergeTree } from './merge-tree.ts'

const tree = 'a'.repeat(40)
const bytes = (...fields: string[]) => Buffer.from(fields.map((field) => `${field}\0`).join(''))

test('a clean merge is a tree and nothing else', () => {
  expect(parseMergeTree(bytes(tree))).toEqual({ tree_sha: tree, conflicts: [], messages: [] })
})

test('a clean merge may carry notes', () => {
  const output = parseMergeTree(bytes(tree, '', '1', 'a.txt', 'Auto-merging', 'Auto-merging a.txt\n'))
  expect(output.conflicts).toEqual([])
  expect(output.messages).toEqual([{ paths: ['a.txt'], type: 'Auto-merging', text: 'Auto-merging a.txt' }])
})

test('conflicted paths come once each, with the words of git', () => {
  const output = parseMergeTree(
    bytes(
      tree,
      'odd\nname',
      'b.txt',
      'b.txt',
      '',
      '1',
      'b.txt',
      'Auto-merging',
      'Auto-merging b.txt\n',
      '2',
      'odd\nname',
      'new',
      'CONFLICT (rename/delete)',
      'CONFLICT (rename/delete): odd\n',
    ),
  )
  expect(output.conflicts).toEqual(['odd\nname', 'b.txt'])
  expect(conflictMessage(output.messages)).toBe('CONFLICT (rename/delete): odd')
  expect(conflictPaths(output)).toEqual(['odd\nname', 'b.txt'])
})

test('without unmerged entries the paths come from the messages', () => {
  const messages = [{ paths: ['x', 'y'], type: 'CONFLICT (file location)', text: 'CONFLICT: x' }]
  expect(conflictPaths({ tree_sha: tree, conflicts: [], messages })).toEqual(['x', 'y'])
})

test('a conflict without words still has a message', () => {
  expect(conflictMessage([])).toMatch(/same places/)
})

test('a path that git made up for one side is the path both sides know', () => {
  const sides = { base: 'b'.repeat(40), head: 'a'.repeat(40) }
  const paths = [`dir~${sides.base}`, `dir~${sides.head}_0`, 'dir', 'x~HEAD', `y~${'c'.repeat(40)}`]
  expect(ownPaths(paths, sides)).toEqual(['dir', 'x~HEAD', `y~${'c'.repeat(40)}`])
  expect(nameSides(`x deleted in ${sides.base} and modified in ${sides.head}.`, sides)).toBe(
    'x deleted in base and modified in head.',
  )
})
