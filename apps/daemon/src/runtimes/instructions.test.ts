import { expect, test } from 'vitest'
import { agentInstructions } from './instructions.ts'

test('the rules name the branch, the base and the way to the default branch', () => {
  const text = agentInstructions({ branch: 'b-1', base_ref: 'trunk', workspace: '/workspace' })
  for (const words of [
    'the branch `b-1` checked out, cut from `trunk`',
    'Commit and push in small steps',
    'Never push to `trunk`',
    '`svc cr open --title',
    'Never merge, close or approve your own change request',
    'git merge origin/trunk',
    '`svc help agent`',
  ])
    expect(text).toContain(words)
})
