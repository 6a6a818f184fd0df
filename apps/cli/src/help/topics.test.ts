import { agentRules } from '@svc/contract/agent-rules'
import { expect, test } from 'vitest'
import { groups } from '../commands/groups.ts'
import { topics } from './topics.ts'

test('in a sandbox the rules name its own branch and base', () => {
  const text = topics['agent']?.({ SVC_BRANCH_NAME: 'b-1', SVC_DEFAULT_BRANCH: 'trunk' }) ?? ''
  expect(text).toContain('with b-1 checked out')
  expect(text).toContain('git merge origin/trunk')
})

test('the rules of a session are those that its agent is instructed with', () => {
  const place = { branch: 'b-1', default_branch: 'trunk', session: '1234abcd' }
  const env = { SVC_BRANCH_NAME: 'b-1', SVC_DEFAULT_BRANCH: 'trunk', SVC_SESSION_ID: '1234abcd-0' }
  const text = topics['agent']?.(env).replaceAll(/\s+/g, ' ') ?? ''
  for (const rule of agentRules(place)) expect(text).toContain(rule)
})

test('no topic hides the help of a command', () => {
  const names = groups.flatMap(({ name, aliases = [] }) => [name, ...aliases])
  expect(Object.keys(topics).filter((topic) => names.includes(topic))).toEqual([])
})

test.each(Object.entries(topics))('%s fits a terminal of 120 columns', (_, text) => {
  const maxWidth = Math.max(
    ...text({})
      .split('\n')
      .map(({ length }) => length),
  )
  expect(maxWidth).toBeLessThanOrEqual(120)
})
