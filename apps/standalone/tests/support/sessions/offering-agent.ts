/**
 * The text of a program that speaks ACP, for a repository to bring. It offers options and commands, asks no model, and does
 * in its first turn whatever a page can show; that turn ends at a limit, the ones after it do not.
 */
export const offeringAgent = `import { createInterface } from 'node:readline'

const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }))
const update = (update) => send({ method: 'session/update', params: { sessionId: 's', update } })
const text = (text) => ({ type: 'text', text })
const select = (id, name, category, values) => ({
  id, name, category, type: 'select', currentValue: values[0],
  options: values.map((value) => ({ value, name: value[0].toUpperCase() + value.slice(1) })),
})
const options = [
  select('effort', 'Effort', 'thought_level', ['low', 'high', 'broken']),
  select('mode', 'Mode', 'mode', ['ask', 'plan']),
  { id: 'web', name: 'Search the web', type: 'boolean', currentValue: false, description: 'Needs the network' },
]
const commands = [
  { name: 'init', description: 'Write down what the repository is' },
  { name: 'review', description: 'Review the changes of this branch', input: { hint: 'what to look at' } },
  { name: 'preview', description: 'Start the program' },
]
const plan = [['Read the code', 'completed'], ['Write total.ts', 'in_progress'], ['Test it', 'pending']]

const answers = {
  initialize: () => ({
    protocolVersion: 1,
    agentCapabilities: {},
    agentInfo: { name: 'offers', version: '1.2.0' },
    authMethods: [],
  }),
  'session/new': () => ({ sessionId: 's', configOptions: options }),
  'session/set_config_option': ({ configId, value }) => {
    if (value === 'broken') throw new Error('This effort is out of order')
    options.find(({ id }) => id === configId).currentValue = value
    return { configOptions: options }
  },
  'session/prompt': ({ prompt }) => {
    update({ sessionUpdate: 'available_commands_update', availableCommands: commands })
    if (prompt[0].text.startsWith('Continue')) {
      update({ sessionUpdate: 'usage_update', used: 176000, size: 200000 })
      update({ sessionUpdate: 'agent_message_chunk', content: text('Went on to the end.') })
      return { stopReason: 'end_turn' }
    }
    update({ sessionUpdate: 'agent_thought_chunk', content: text('First a look at what is there.') })
    update({ sessionUpdate: 'plan', entries: plan.map(([content, status]) => ({ content, status, priority: 'high' })) })
    update({
      ...{ sessionUpdate: 'tool_call', toolCallId: 'e', title: 'Edit two files', kind: 'edit', status: 'completed' },
      content: [
        { type: 'diff', path: '/workspace/src/total.ts', oldText: 'const net = 1\\n', newText: 'const net = 2\\nexport { net }\\n' },
        { type: 'diff', path: '/workspace/src/new.ts', newText: 'export const tax = 0.2\\n' },
      ],
    })
    update({ sessionUpdate: 'usage_update', used: 84000, size: 200000 })
    update({ sessionUpdate: 'agent_message_chunk', content: text('Both files are changed.') })
    return { stopReason: 'max_tokens' }
  },
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  try {
    send({ id, result: answers[method](params) })
  } catch (error) {
    send({ id, error: { code: -32603, message: error.message } })
  }
})
`
