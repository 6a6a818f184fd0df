import { expect, test } from 'vitest'
import { parseAgentFile } from './agent-file.ts'

test('the front matter tells how the agent is run, the rest is its prompt', () => {
  const text =
    '---\ndescription: d\nmode: subagent\nmodel: a/b\ntemperature: 0\npermission: deny\n---\nBe brief.\n'
  expect(parseAgentFile('x', text)).toMatchObject({
    name: 'x',
    description: 'd',
    mode: 'subagent',
    model: 'a/b',
    temperature: 0,
    permission: 'deny',
    prompt: 'Be brief.',
  })
})

test('a file without front matter is all prompt', () => {
  expect(parseAgentFile('x', 'Be brief.')).toMatchObject({ prompt: 'Be brief.', mode: 'all', disable: false })
})

test.each(['---\nmode: [\n---\n', '---\nmode: other\n---\n', '---\npermission: maybe\n---\n'])(
  'a file that cannot be understood says so: %j',
  (text) => expect(parseAgentFile('x', text).problem).toContain('agent x'),
)
