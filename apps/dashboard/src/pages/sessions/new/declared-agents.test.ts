import { expect, test } from 'vitest'
import { agentsIn } from './declared-agents.ts'

test('agents are offered by the keys below `agents`, the default one is known', () => {
  const text = `svc_version: 2
default_agent: helper # the usual one
agents:
  helper:
    description: "helps: a lot"
    model: a/b
  # another
  'careful.one':
    description: x
triggers: []
`
  expect(agentsIn(text)).toEqual({ default_agent: 'helper', names: ['helper', 'careful.one'] })
  expect(agentsIn('svc_version: 2\n')).toBeNull()
})
