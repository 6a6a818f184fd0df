import { expect, test } from 'vitest'
import { parsePush, remoteMessage } from './push-porcelain.ts'

const ref = 'refs/heads/main'
const sha = 'a'.repeat(40)
const push = (flag: string, summary: string) =>
  `To https://host/x.git\n${flag}\t${sha}:${ref}\t${summary}\nDone\n`

test.each([
  [' ', 'aaa..bbb', { kind: 'moved' }],
  ['*', '[new branch]', { kind: 'moved' }],
  ['+', 'aaa...bbb (forced update)', { kind: 'moved' }],
  ['=', '[up to date]', { kind: 'up_to_date' }],
  ['!', '[rejected] (stale info)', { kind: 'stale' }],
  ['!', '[rejected] (fetch first)', { kind: 'stale' }],
  [
    '!',
    '[remote rejected] (protected branch hook declined)',
    { kind: 'refused', reason: 'protected branch hook declined' },
  ],
  ['!', '[remote failure] (remote failed to report status)', { kind: 'refused', reason: expect.any(String) }],
])('%s %s', (flag, summary, verdict) => {
  expect(parsePush(push(flag, summary), ref)).toEqual(verdict)
})

test('a line about another ref says nothing', () => {
  expect(parsePush(push('*', '[new branch]'), 'refs/heads/other')).toEqual({ kind: 'unknown' })
  expect(parsePush('', ref)).toEqual({ kind: 'unknown' })
})

test('the words of the host are kept, without the prefix', () => {
  const stderr = 'remote: GH006: Protected branch update failed.        \nremote: \nerror: failed to push\n'
  expect(remoteMessage(stderr)).toBe('GH006: Protected branch update failed.')
})
