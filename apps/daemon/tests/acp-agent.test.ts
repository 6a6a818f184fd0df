import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AgentProcess, type AgentStart, connectClient } from './support/acp-agent/connect-client.ts'
import type { AgentSettingsInput } from './support/acp-agent/settings.ts'
import { builtAcpAgent } from './support/bundle.ts'
import { processesWith } from './support/processes.ts'
import { type ScriptedModel, startScriptedModel } from './support/scripted-model.ts'
import { waitFor } from './support/wait-for.ts'

let program: string
let model: ScriptedModel
let home: string
const running: AgentProcess[] = []

beforeAll(async () => {
  program = await builtAcpAgent()
  model = await startScriptedModel('127.0.0.1')
})
afterAll(() => model.close())
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'acp-agent-home-'))
})
afterEach(() => {
  for (const each of running.splice(0)) each.stop()
  rmSync(home, { recursive: true })
})

async function start(
  settings: AgentSettingsInput = {},
  more: Partial<AgentStart> = {},
): Promise<AgentProcess> {
  const started = await connectClient({ program, home, model, settings, ...more })
  running.push(started)
  return started
}
async function open({ agent }: AgentProcess): Promise<string> {
  return (await agent.request('session/new', { cwd: home, mcpServers: [] })).sessionId
}
const prompt = ({ agent }: AgentProcess, sessionId: string, text: string) =>
  agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] })
const tool = (name: string, args: Record<string, unknown>) => ({ tool: { name, args } })
const statuses = ({ updates }: AgentProcess): unknown[] =>
  updates.flatMap((update) => ('status' in update && update.status ? [update.status] : []))

test('a text turn: words in order, usage, commands, and the reason why it stopped', async () => {
  const it = await start()
  const id = await open(it)
  expect(await prompt(it, id, 'good morning THINK:hm')).toEqual({ stopReason: 'end_turn' })
  expect(it.text()).toBe('heard: good morning THINK:hm')
  expect(it.text('agent_thought_chunk')).toBe('hm')
  expect(it.updates).toContainEqual({ sessionUpdate: 'usage_update', used: 133, size: 128_000 })
  await waitFor('the commands', () =>
    it.updates.some((update) => update.sessionUpdate === 'available_commands_update'),
  )
  expect(await prompt(it, id, 'STOP:max_tokens')).toEqual({ stopReason: 'max_tokens' })
  expect(model.requests.at(-1)?.authorization).toBe('Bearer key-of-the-test')
})

test('a write with a permission, which is given or rejected', async () => {
  for (const leave of ['once', 'reject', null]) {
    const path = join(home, `made-${leave}.txt`)
    model.on(`write ${leave}`, [tool('write', { path, content: 'new' }), { text: 'over' }])
    const it = await start({}, { leave })
    expect(await prompt(it, await open(it), `write ${leave}`)).toEqual({ stopReason: 'end_turn' })
    expect(existsSync(path)).toBe(leave === 'once')
    expect(it.permissions).toHaveLength(1)
    expect(it.permissions[0]?.toolCall).toMatchObject({
      kind: 'edit',
      content: [{ type: 'diff', path, oldText: null, newText: 'new' }],
    })
    const end = leave === 'once' ? ['in_progress', 'completed'] : ['failed']
    expect(statuses(it)).toEqual(['pending', ...end])
  }
})

test.each([true, false])('bash, in a terminal of the client: %s', async (client_terminal) => {
  const phrase = `bash there ${client_terminal}`
  model.on(phrase, [tool('bash', { command: 'echo out; exit 3' }), { text: 'over' }])
  const it = await start({ client_terminal, permissions: 'never' })
  await prompt(it, await open(it), phrase)
  expect(it.commands).toEqual(client_terminal ? ['bash -c echo out; exit 3'] : [])
  expect(it.permissions).toEqual([])
  expect(model.requests.at(-1)?.messages.at(-1)).toMatchObject({ content: 'out\n\n[ended with code 3]' })
})

test.each([true, false])('cancel in a tool ends the command; terminal: %s', async (client_terminal) => {
  model.on('sleep long', [tool('bash', { command: 'touch begun; sleep 600' })])
  const it = await start({ client_terminal })
  const id = await open(it)
  const turn = prompt(it, id, 'sleep long')
  await waitFor('the command', () => existsSync(join(home, 'begun')))
  await it.agent.notify('session/cancel', { sessionId: id })
  expect(await turn).toEqual({ stopReason: 'cancelled' })
  expect(statuses(it).at(-1)).toBe('failed')
})

test('a plan, a question, a file that is read', async () => {
  const items = ['one', { content: 'two', status: 'completed' }]
  model.on('all of them', [
    tool('todo', { items }),
    tool('ask', { question: 'Which colour?', options: ['Blue', 'Red'] }),
    tool('write', { path: 'here.txt', content: 'read me' }),
    tool('read', { path: 'here.txt' }),
    { text: 'over' },
  ])
  const it = await start()
  await prompt(it, await open(it), 'all of them')
  expect(it.updates).toContainEqual({
    sessionUpdate: 'plan',
    entries: [
      { content: 'one', status: 'pending', priority: 'medium' },
      { content: 'two', status: 'completed', priority: 'medium' },
    ],
  })
  expect(it.forms).toMatchObject([{ mode: 'form', message: 'Which colour?' }])
  expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('Blue')
  expect(model.requests.at(-1)?.messages.at(-1)).toMatchObject({ role: 'tool', content: 'read me' })
})

test('a model by option, and none that is not offered', async () => {
  const it = await start()
  const { sessionId, configOptions } = await it.agent.request('session/new', { cwd: home, mcpServers: [] })
  expect(configOptions?.map(({ category }) => category)).toEqual(['mode', 'model', 'thought_level'])
  const set = (value: string) =>
    it.agent.request('session/set_config_option', { sessionId, configId: 'model', value })
  await set('other-model')
  await prompt(it, sessionId, 'which model')
  expect(model.requests.at(-1)?.model).toBe('other-model')
  await expect(set('no-such-model')).rejects.toMatchObject({ code: -32602 })
})

test('attempts that fail are made again; a refusal is the error of the turn', async () => {
  model.on('stumble', [{ text: 'at last', before: [500, 'cut', 429] }])
  model.on('refused', [{ status: 400 }])
  const it = await start()
  const id = await open(it)
  await prompt(it, id, 'stumble')
  expect(it.text()).toBe('at last')
  await expect(prompt(it, id, 'refused')).rejects.toMatchObject({ code: -32603, message: 'scripted 400' })
})

test('a second process resumes in silence, and loads with the history', async () => {
  const first = await start()
  const id = await open(first)
  await prompt(first, id, 'remember this')
  first.stop()
  const second = await start()
  const place = { sessionId: id, cwd: home, mcpServers: [] }
  await second.agent.request('session/resume', place)
  expect(second.text()).toBe('')
  await prompt(second, id, 'and this')
  expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('remember this')
  second.stop()
  const third = await start({ fault: { replay: 20 } })
  await third.agent.request('session/load', place)
  expect(third.text('user_message_chunk')).toBe('remember thisand this')
  await waitFor('what comes after the answer', () => third.text().includes('replayed after 19'))
  const unknown = third.agent.request('session/resume', { ...place, sessionId: 'unknown' })
  await expect(unknown).rejects.toMatchObject({ code: -32002 })
})

test('the gateway method: no session without it, then its address and headers alone', async () => {
  const it = await start({ auth_gateway: true }, { model: { ...model, baseUrl: 'http://127.0.0.1:9/v1' } })
  await expect(open(it)).rejects.toMatchObject({ code: -32000 })
  const gateway = { baseUrl: model.baseUrl, headers: { authorization: 'Bearer of-the-gateway' } }
  await it.agent.request('authenticate', { methodId: 'gateway', _meta: { gateway } })
  await prompt(it, await open(it), 'by the gateway')
  expect(model.requests.at(-1)?.authorization).toBe('Bearer of-the-gateway')
})

test.each(['before_answer', 'in_text', 'in_tool', 'in_permission', 'after_answer'] as const)(
  'a crash %s happens once',
  async (crash) => {
    model.on(`fall ${crash}`, [
      { text: 'some words', ...tool('bash', { command: 'sleep 0.3' }) },
      { text: 'over' },
    ])
    const fault = { crash, once: join(home, 'crashed') }
    const first = await start({ fault })
    const id = await open(first)
    const turn = prompt(first, id, `fall ${crash}`).catch(() => undefined)
    expect(await first.exited).toEqual([null, 'SIGKILL'])
    await turn
    expect(readFileSync(fault.once, 'utf8')).toBe(crash)
    const second = await start({ fault })
    await second.agent.request('session/resume', { sessionId: id, cwd: home })
    expect(await prompt(second, id, 'again')).toEqual({ stopReason: 'end_turn' })
  },
)

test('the faults of a turn: unknown updates, a flood, reads outside, a storm, late updates', async () => {
  const it = await start({
    fault: {
      garbage: 8,
      unknown_updates: 3,
      flood: { text_bytes: 100_000, tool_bytes: 100_000 },
      read_outside: true,
      permission_storm: 500,
      late_updates: 2,
      stop_reason: 'a_later_word',
    },
  })
  expect(await prompt(it, await open(it), 'behave')).toEqual({ stopReason: 'a_later_word' })
  expect(it.text()).toContain('storm: {"once":500}')
  expect(it.text()).toContain('in halves')
  expect(it.text()).toContain('link-outside: was read')
  await waitFor('the late ones', () => it.text().endsWith('late 0 late 1 '))
})

test('a crash before a session is open', async () => {
  await expect(start({ fault: { crash: 'start' } })).rejects.toThrow()
  await expect(start({ fault: { crash: 'initialize' } })).rejects.toThrow('closed')
  const it = await start({ auth_gateway: true, fault: { crash: 'authenticate' } })
  await expect(it.agent.request('authenticate', { methodId: 'gateway' })).rejects.toThrow('closed')
  const next = await start({ fault: { crash: 'new_session', protocol_version: 7 } })
  expect(next.introduction.protocolVersion).toBe(7)
  await expect(open(next)).rejects.toThrow('closed')
})

test('a line that is too long for a client of the SDK', async () => {
  const it = await start({ fault: { long_line: true } })
  await expect(prompt(it, await open(it), 'at length')).rejects.toThrow('byte limit')
})

test('an agent that is deaf to cancel, starts late, and leaves a child that holds its pipes', async () => {
  const it = await start({ fault: { deaf_to_cancel: true, slow_start_ms: 500, holds_pipes: true } })
  model.on('do not listen', [tool('bash', { command: 'touch begun; sleep 1' }), { text: 'done anyway' }])
  const id = await open(it)
  const turn = prompt(it, id, 'do not listen')
  await waitFor('the command', () => existsSync(join(home, 'begun')))
  await it.agent.notify('session/cancel', { sessionId: id })
  expect(await turn).toEqual({ stopReason: 'end_turn' })
  it.stop()
  await it.exited
  const holders = processesWith(home, 'acp-agent-holder')
  expect(holders).toHaveLength(1)
  for (const pid of holders) process.kill(pid, 'SIGKILL')
})
