import { stringify } from 'yaml'
import { expect, test } from 'vitest'
import { judgeAgentFile } from './agent-files.ts'
import type { Issue } from './issue.ts'
import { judge } from './judge.ts'
import { agentFileSections, manifestSections } from './schema/descriptions.ts'

type Values = Record<string, unknown>

const agent: Values = {}
const template: Values = { slug: 'big', image: 'x' }
const auth: Values = { type: 'bearer' }
const clause: Values = { path: 'a', equals: 5 }
const policy: Values = { match: 'x', action: 'block', when: [clause] }
const oauth: Values = {}
const app: Values = { type: 'static' }
const env: Values = { optional: ['KEY'] }
const sandbox: Values = { templates: [template] }
const connector: Values = { slug: 'docs', provider: 'openapi', auth, oauth, policies: [policy] }
const trigger: Values = { slug: 't', type: 'cron', prompt: 'x', cron: '0 0 0 * * *' }
const monitor: Values = { slug: 'm', type: 'monitor', prompt: 'x', run: 'x', mode: 'stream' }
const project: Values = {}
const agentrt: Values = {}
const resources: Values = {}
const harness: Values = { command: ['agent'] }
app['resources'] = resources
const whole: Values = {
  svc_version: 2,
  default_agent: 'a',
  agents: { a: agent },
  env,
  project,
  agentrt,
  harnesses: { mine: harness },
  sandbox,
  connectors: [connector],
  apps: { x: app },
  triggers: [trigger, monitor],
}
const holders: Readonly<Record<string, Values>> = {
  ...{ 'top level': whole, project, env, agentrt, agent, sandbox, template },
  ...{ connector, auth, oauth, policy, clause, app, resources, trigger, harness },
}
const bad = ['sticky x', '', 5, -1.5, true, [], {}, null, ['A b'], [5], { k: 5 }, 'x'.repeat(2000), 'freshh']

function issuesWith(section: string, key: string, value: unknown): readonly Issue[] {
  const holder = key === 'run' || (key === 'mode' && section !== 'harness') ? monitor : holders[section]
  if (holder === undefined) throw new Error(`There is no ${section}`)
  const before = { ...holder }
  holder[key] = value
  const { issues } = judge({ files: { 'svc.yaml': stringify(whole) } })
  for (const name of Object.keys(holder)) delete holder[name]
  Object.assign(holder, before)
  return issues
}

/** Text that a person cannot be expected to read: patterns, the words of the library, values that go on and on. */
const unfit =
  /\/\^|\(\?|Invalid|[Ee]xpected|received|pattern \/|regex|undefined|\bstring\b|\bobject\b|``|x{60}/

const keys = manifestSections.flatMap(({ name, keys }) =>
  Object.keys(keys).map((key) => [name, key] as const),
)

test.each(keys)('every message about %s, %s is in plain words', (section, key) => {
  for (const value of bad)
    for (const { message } of issuesWith(section, key, value)) expect(message).not.toMatch(unfit)
})

test('every message about an agent’s own file is in plain words', () => {
  for (const key of agentFileSections.flatMap((section) => Object.keys(section.keys)))
    for (const value of bad)
      for (const { message } of judgeAgentFile('a.md', `---\n${stringify({ [key]: value })}---\n`))
        expect(message).not.toMatch(unfit)
})

test.each([
  ['session_mode', 'sticky', 'must be one of fresh, reuse, pinned, keyed, not `sticky`'],
  [
    'session_mode',
    'freshh',
    'must be one of fresh, reuse, pinned, keyed, not `freshh`; did you mean `fresh`?',
  ],
  ['sessionMode', '', 'must be one of fresh, reuse, pinned, keyed, not empty text'],
  [
    'enabled',
    'maybe',
    'must be true or false, a number, or one of true, false, 1, 0, yes, no, on, off, not `maybe`',
  ],
  [
    'enabled',
    'falsee',
    'must be true or false, a number, or one of true, false, 1, 0, yes, no, on, off, not `falsee`; did you mean `false`?',
  ],
  ['overlap', 'quue', 'must be `allow`, `skip` or `queue`, not `quue`; did you mean `queue`?'],
])('%s: %j is answered with what is allowed', (key, value, message) => {
  expect(issuesWith('trigger', key, value)).toContainEqual(
    expect.objectContaining({ path: `triggers[0].${key}`, message }),
  )
})
