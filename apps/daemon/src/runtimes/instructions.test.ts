import { agentRules } from '@svc/contract/agent-rules'
import { expect, test } from 'vitest'
import { agentInstructions } from './instructions.ts'

const place = { branch: 'b-1', base_ref: 'next', default_branch: 'trunk', workspace: '/workspace' }
const text = agentInstructions(place)

test('the instructions hold every rule of a session', () => {
  expect(text).toContain('the branch `b-1` checked out, cut from `next`')
  for (const rule of agentRules({ ...place, session: 'b-1' })) expect(text).toContain(`- ${rule}\n`)
})

test.each([
  'Commit and push in small steps',
  'Every committed change reaches trunk through a change request, however small',
  '`svc cr open --title',
  'never force-push',
  'Never leave work only on the session branch',
  'an archive, a paste or a gist',
  'Never merge, close or approve your own change request',
  'git merge origin/trunk',
  '`svc help agent`',
])('an agent is told: %s', (words) => expect(text).toContain(words))
