import { expect, test } from 'vitest'
import { sessionRecord, type SessionRecordInput } from './session-record.ts'

const given: SessionRecordInput = {
  base_ref: 'main',
  model: null,
  name: null,
  metadata: {},
  origin: 'user',
  origin_ref: null,
  agent: { agent_name: 'default' },
  power: { grant: ['project.read'], merge_granted: false, secrets: 'all', connectors: [] },
  starter: null,
}

test('what is usual is not requested', () => {
  expect(sessionRecord(given)).toEqual({
    base_ref: 'main',
    agent_name: 'default',
    agent_grant: ['project.read'],
    merge_granted: false,
    model: null,
    name: null,
    metadata: {},
    origin: 'user',
    origin_ref: null,
    labels: [],
    parent_session_id: null,
    ancestor_session_ids: [],
    requested: {},
  })
})

test.each([
  ['all', undefined, undefined],
  ['all', ['A'], ['A']],
  [['A', 'B'], undefined, ['A', 'B']],
  [['A', 'B'], ['B', 'C'], ['B']],
  [[], ['A'], []],
] as const)('of secrets %j and asked %j it is given %j', (granted, asked, secrets) => {
  const power = { ...given.power, secrets: granted }
  const requested = asked === undefined ? {} : { secrets: asked }
  expect(sessionRecord({ ...given, power, requested }).requested.secrets).toEqual(secrets)
})

test('what the agent declares is kept with what was asked', () => {
  const connectors = [{ slug: 'docs', connection_id: null }]
  const agent = { agent_name: 'default', skills: ['review'], runtime: 'pi' } as const
  const asked = { ...given, agent, power: { ...given.power, connectors }, requested: { sandbox_slug: 'big' } }
  expect(sessionRecord(asked).requested).toEqual({
    sandbox_slug: 'big',
    skills: ['review'],
    connectors,
    runtime: 'pi',
  })
})
