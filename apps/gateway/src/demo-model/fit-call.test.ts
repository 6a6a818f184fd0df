import { expect, test } from 'vitest'
import { nextStep } from './script.ts'

const tool = (name: string, properties: Record<string, unknown>) => ({
  type: 'function',
  function: { name, parameters: { properties } },
})
const text = { type: 'string' }

const agents = {
  claude: [
    tool('Write', { file_path: text, content: text }),
    tool('Bash', { command: text, description: text }),
  ],
  gemini: [
    tool('write_file', { file_path: text, content: text }),
    tool('run_shell_command', { command: text }),
  ],
  codex: [tool('exec_command', { cmd: text })],
  shell: [tool('shell', { command: { type: 'array' } })],
}
const request = { role: 'user', content: 'Add a health check' }

test('a call takes the tools of the agent that asks', () => {
  const call = (name: keyof typeof agents) => nextStep({ messages: [request], tools: agents[name] }).call
  const path = '/workspace/notes/add-a-health-check.md'
  expect(call('claude')).toMatchObject({ tool: 'Write', input: { file_path: path } })
  expect(call('gemini')).toMatchObject({
    tool: 'write_file',
    input: { file_path: 'notes/add-a-health-check.md' },
  })
  expect(call('codex')).toMatchObject({
    tool: 'exec_command',
    input: { cmd: expect.stringMatching(/^mkdir -p 'notes' && printf %s '# Add a health check/) },
  })
  expect(Object.keys(call('codex')?.input ?? {})).toEqual(['cmd'])
  expect(call('shell')?.input['command']).toEqual(['bash', '-lc', expect.stringContaining('printf')])
})

test('what an agent says beside the person is no request', () => {
  const context = { role: 'user', content: '<session_context>\nToday\n</session_context>' }
  const asked = { role: 'user', content: '<system-reminder>x</system-reminder>\nAdd a health check' }
  const { call } = nextStep({ messages: [context, asked], tools: agents.claude })
  expect(call?.input['file_path']).toBe('/workspace/notes/add-a-health-check.md')
})

test.each([
  ['claude', 'File created successfully at: /workspace/a.md', 'pushed abc1234', 'Opened #7  Add'],
  [
    'gemini',
    'Successfully created and wrote to new file',
    'Output: pushed abc1234\nExit Code: 0',
    'Output: Opened #7  Add',
  ],
  ['codex', 'Output:\nwrote notes/a.md', 'Output:\npushed abc1234', 'Output:\nOpened #7  Add'],
] as const)('%s goes on when its tools worked', (name, ...results) => {
  const messages: { role: string; [field: string]: unknown }[] = [request]
  for (const [at, content] of results.entries()) {
    const { call } = nextStep({ messages, tools: agents[name] })
    const written = { name: call?.tool ?? '', arguments: JSON.stringify(call?.input) }
    messages.push({ role: 'assistant', content: '', tool_calls: [{ id: `c${at}`, function: written }] })
    messages.push({ role: 'tool', tool_call_id: `c${at}`, content })
  }
  const end = nextStep({ messages, tools: agents[name] })
  expect([end.call, end.text]).toEqual([null, expect.stringContaining('pushed it as abc1234. Opened #7')])
})
