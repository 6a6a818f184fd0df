import { expect, test } from 'vitest'
import { parseLog } from './log.ts'

const [a, b] = ['a'.repeat(40), 'b'.repeat(40)]
const at = '2026-01-02T03:04:05+00:00'

test('commits with odd messages', () => {
  const record = (sha: string, parents: string, message: string) =>
    [sha, parents, 'Ann', 'ann@x', at, 'svc', 'svc@x', at, message].map((field) => `${field}\0`).join('') +
    '\n'
  const output = Buffer.from(record(a, `${b} ${b}`, 'One\n\nbody\n') + record(b, '', ''))
  expect(parseLog(output)).toEqual([
    {
      commit_sha: a,
      parents: [b, b],
      author: { name: 'Ann', email: 'ann@x', at },
      committer: { name: 'svc', email: 'svc@x', at },
      message: 'One\n\nbody',
    },
    expect.objectContaining({ commit_sha: b, parents: [], message: '' }),
  ])
})

test('no commits', () => expect(parseLog(Buffer.alloc(0))).toEqual([]))
