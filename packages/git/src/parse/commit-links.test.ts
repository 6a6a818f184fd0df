import { expect, test } from 'vitest'
import { parseCommitLinks } from './commit-links.ts'

const links = (...lines: string[]) => parseCommitLinks(Buffer.from(lines.join('\n')))

test('parents in their order and the time of the commit', () => {
  expect(
    links(
      'tree t',
      'parent a',
      'parent b',
      'author A <a@x> 5 +0000',
      'committer C <c@x> 1700000000 +0100',
      '',
      'Work',
    ),
  ).toEqual({ parents: ['a', 'b'], committed_at: 1_700_000_000 })
})

test('a message that looks like a header means nothing', () => {
  expect(links('tree t', 'committer C <c@x> 1 +0000', '', 'parent a', 'committer C <c@x> 9 +0000')).toEqual({
    parents: [],
    committed_at: 1,
  })
})

test.each(['committer C <c@x> -5 +0000', 'committer nobody', 'committer C <c@x> 99999999999999999999 +0000'])(
  'a commit without a usable time: %s',
  (line) => expect(links('tree t', 'parent a', line, '', '')).toEqual({ parents: ['a'], committed_at: 0 }),
)
