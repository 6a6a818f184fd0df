import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { acpSandbox, agentOf, permitAll, problemsOf, saidBy } from '../support/acp-sandbox.ts'
import { isRunning, processesWith } from '../support/processes.ts'
import { bash } from '../support/runtime/runtime-tests.ts'
import type { Sandbox } from '../support/sandbox.ts'
import { waitFor } from '../support/wait-for.ts'

const address = '127.41.1.2'

/** An agent that asks before each command. */
const asking = {
  'tools/agent/agents/coder.md': '---\nmode: primary\npermission: { bash: ask }\n---\nYou ask.\n',
}

/** Asks for a word and has it: the sandbox works as ever. */
async function expectSound(sandbox: Sandbox): Promise<void> {
  sandbox.model.on('still there', [{ text: 'Still here.' }])
  const end = await sandbox.turnEnd(await sandbox.prompt('still there?'))
  expect(end, end.error).toMatchObject({ status: 'completed' })
  expect(saidBy(sandbox).join('')).toContain('Still here.')
  expect(problemsOf(sandbox)).toEqual([])
}

/** Of eight lines one is empty, which says nothing. */
const emptyLines = (lines: number) => lines / 8
const unreadBy = (sandbox: Sandbox) =>
  sandbox.platform
    .events('runtime')
    .map(({ payload }) => payload)
    .filter((payload) => 'garbage_lines' in payload)

describe('an agent that writes what is no message', () => {
  test('is read on: garbage goes to the log, a message in halves is one, updates of a later version are none', async () => {
    const sandbox = await acpSandbox(address, { fault: { garbage: 400, unknown_updates: 3 } })
    await sandbox.ready()
    sandbox.model.on('go', [{ text: 'Gone.' }])
    expect(await sandbox.turnEnd(await sandbox.prompt('go'))).toMatchObject({ status: 'completed' })
    expect(saidBy(sandbox).join('')).toContain('in halves ')
    expect(sandbox.platform.events('error')).toEqual([])
    expect(unreadBy(sandbox)).toEqual([{ unknown_updates: 3, garbage_lines: 400 - emptyLines(400) }])
    await expectSound(sandbox)
  })

  test('loses a line of 33 MiB, which is said', async () => {
    const sandbox = await acpSandbox(address, { fault: { long_line: true } })
    await sandbox.ready()
    sandbox.model.on('go', [{ text: 'Gone.' }])
    expect(await sandbox.turnEnd(await sandbox.prompt('go'))).toMatchObject({ status: 'completed' })
    const [error] = sandbox.platform.events('error')
    expect(error?.payload['message']).toContain('too long')
    expect(saidBy(sandbox)).toContain('Gone.')
    expect(problemsOf(sandbox)).toEqual([])
  })

  test('of nothing else is ended', async () => {
    const sandbox = await acpSandbox(address, { fault: { garbage: 10_000 } })
    await sandbox.ready()
    const first = await agentOf(sandbox)
    expect(await sandbox.turnEnd(await sandbox.prompt('go'))).toMatchObject({ status: 'interrupted' })
    await waitFor('another process', async () => (await agentOf(sandbox)) !== first)
    expect(isRunning(first)).toBe(false)
    expect(unreadBy(sandbox)).toEqual([{ unknown_updates: 0, garbage_lines: 10_000 - emptyLines(10_000) }])
    expect(problemsOf(sandbox)).toEqual([])
  })
})

test('100 MB in a turn grow the daemon by less than 64 MB, and it answers all the while', async () => {
  const flood = { text_bytes: 50_000_000, tool_bytes: 50_000_000 }
  const sandbox = await acpSandbox(address, { fault: { flood } })
  await sandbox.ready()
  const memory = (): number =>
    Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${sandbox.process?.pid}/status`, 'utf8'))?.[1]) / 1024
  const before = memory()
  let most = before
  sandbox.model.on('go', [{ text: 'Gone.' }])
  const prompt_id = await sandbox.prompt('go')
  await waitFor('the end', async () => {
    expect(await sandbox.health()).not.toBeNull()
    most = Math.max(most, memory())
    return sandbox.platform.reports.some((one) => one.kind === 'turn_end' && one.prompt_id === prompt_id)
  })
  expect(most - before).toBeLessThan(64)
  const flooded = saidBy(sandbox).find((text) => text.startsWith('flood'))
  expect(flooded?.length).toBeLessThan(300_000)
  expect(flooded).toContain('[cut: ')
  expect(saidBy(sandbox)).toContain('Gone.')
  expect(problemsOf(sandbox)).toEqual([])
})

test('500 requests for leave at once stand before people 64 at a time, and each is answered once', async () => {
  const sandbox = await acpSandbox(address, { fault: { permission_storm: 500 } }, { files: asking })
  await sandbox.ready()
  sandbox.model.on('go', [{ text: 'Gone.' }])
  const prompt_id = await sandbox.prompt('go')
  await waitFor('the asks', () => sandbox.platform.asks.length === 64)
  permitAll(sandbox)
  expect(await sandbox.turnEnd(prompt_id)).toMatchObject({ status: 'completed' })
  expect(saidBy(sandbox).join('')).toContain('storm: {"once":500}')
  expect(sandbox.platform.asks).toHaveLength(500)
  expect(problemsOf(sandbox)).toEqual([])
})

test('an abort answers what is asked, in view and in line, and none is asked again', async () => {
  const sandbox = await acpSandbox(address, { fault: { permission_storm: 100 } }, { files: asking })
  await sandbox.ready()
  const prompt_id = await sandbox.prompt('go')
  await waitFor('the asks', () => sandbox.platform.asks.length === 64)
  expect((await sandbox.call('/svc/abort', { method: 'POST' })).status).toBe(200)
  expect(await sandbox.turnEnd(prompt_id)).toMatchObject({ status: 'aborted' })
  expect(saidBy(sandbox).join('')).toContain('storm: {"cancelled":100}')
  expect(sandbox.platform.asks).toHaveLength(64)
  const [ask] = sandbox.platform.asks
  const { request_id } = (ask?.body ?? {}) as { request_id?: string }
  const act = { kind: 'permission', id: request_id, reply: 'once' }
  expect((await sandbox.call('/svc/runtime/act', { body: act })).status).toBe(409)
  expect(problemsOf(sandbox)).toEqual([])
})

test('an agent that is deaf to a cancel is ended, and goes on with the next prompt', async () => {
  const sandbox = await acpSandbox(address, { fault: { deaf_to_cancel: true } })
  await sandbox.ready()
  const first = await agentOf(sandbox)
  sandbox.model.on('speak', [{ text: 'endless ', hold: new Promise(() => undefined) }])
  const prompt_id = await sandbox.prompt('speak')
  await waitFor('a word', () => sandbox.platform.events('message.delta').length > 0)
  expect((await sandbox.call('/svc/abort', { method: 'POST' })).status).toBe(200)
  expect(await sandbox.turnEnd(prompt_id)).toMatchObject({ status: 'aborted' })
  await expectSound(sandbox)
  expect(isRunning(first)).toBe(false)
})

test('a replay of 10,000 updates is no part of the log', async () => {
  const sandbox = await acpSandbox(address, { resume: false, fault: { replay: 10_000 } })
  await sandbox.ready()
  sandbox.model.on('go', [{ text: 'Gone.' }])
  await sandbox.turnEnd(await sandbox.prompt('go'))
  await sandbox.signal('SIGKILL')
  sandbox.start()
  await sandbox.ready()
  await expectSound(sandbox)
  expect(JSON.stringify(sandbox.model.requests.at(-1)?.messages)).toContain('Gone.')
  expect(saidBy(sandbox).filter((text) => text.includes('replayed'))).toEqual([])
  expect(
    sandbox.platform
      .events('message.delta')
      .filter(({ payload }) => String(payload['delta']).includes('replayed')),
  ).toEqual([])
  expect(saidBy(sandbox).filter((text) => text === 'Gone.')).toHaveLength(1)
})

test('words that come after the answer are kept, and are in no other turn', async () => {
  const sandbox = await acpSandbox(address, { fault: { late_updates: 3, late_after_ms: 2_500 } })
  await sandbox.ready()
  sandbox.model.on('go', [{ text: 'Gone.' }])
  await sandbox.turnEnd(await sandbox.prompt('go'))
  await waitFor('the late words', () =>
    sandbox.platform
      .events('message.delta')
      .some(({ payload }) => String(payload['delta']).includes('late 2')),
  )
  await expectSound(sandbox)
  const late = sandbox.platform.events('message').filter(({ payload }) => payload['late'] === true)
  expect(late.map(({ payload }) => payload['text'])).toEqual(['late 0 late 1 late 2 '])
})

test('an agent reads nothing beside its own folders, by no path and no link', async () => {
  const sandbox = await acpSandbox(address, { fault: { read_outside: true } })
  await sandbox.ready()
  await sandbox.turnEnd(await sandbox.prompt('go'))
  const said = saidBy(sandbox).join('')
  expect(said.match(/passwd|link-outside/g)?.length).toBeGreaterThanOrEqual(3)
  expect(said).not.toContain('was read')
})

test('a child that holds the pipes of its agent keeps nothing from ending', async () => {
  const sandbox = await acpSandbox(address, { fault: { holds_pipes: true } })
  await sandbox.ready()
  const first = await agentOf(sandbox)
  process.kill(first, 'SIGKILL')
  await waitFor('another process', async () => (await agentOf(sandbox)) !== first)
  await sandbox.ready()
  await expectSound(sandbox)
  expect(await sandbox.signal('SIGTERM')).toBe(0)
  expect(processesWith(`AGENTRT_CONFIG_DIR=${sandbox.workspace}`)).toEqual([])
})

test('a turn keeps the word by which its agent stopped, whatever it is', async () => {
  const sandbox = await acpSandbox(address, {})
  await sandbox.ready()
  for (const [stop_reason, status] of [
    ['refusal', 'error'],
    ['max_tokens', 'completed'],
    ['max_turn_requests', 'completed'],
    ['a_later_word', 'completed'],
  ]) {
    const end = await sandbox.turnEnd(await sandbox.prompt(`STOP:${stop_reason}`))
    expect(end).toMatchObject({ status, stop_reason })
    if (status === 'error') expect(end.error).toBe('The agent refused this')
  }
})

test('an agent of another version of the protocol is not started, and that is said', async () => {
  const sandbox = await acpSandbox(address, { fault: { protocol_version: 2 } })
  const health = await waitFor('the failure', async () => {
    const now = await sandbox.health()
    return now?.runtime.state === 'failed' ? now : null
  })
  expect(health.error).toContain('speaks version 2 of the Agent Client Protocol')
})

test('one without a sign of life is said to be silent, ended, and goes on', async () => {
  const environment = { SVC_HARNESS_SILENCE_SECONDS: '12' }
  const sandbox = await acpSandbox(address, {}, { environment })
  await sandbox.ready()
  sandbox.model.on('go', [{ ...bash('true'), hold: new Promise(() => undefined) }])
  const prompt_id = await sandbox.prompt('go')
  await waitFor('the silence', () =>
    sandbox.platform.events('runtime').some(({ payload }) => payload['state'] === 'silent'),
  )
  expect(await sandbox.turnEnd(prompt_id)).toMatchObject({ status: 'interrupted' })
  // The next prompt carries the one that was cut off.
  sandbox.model.on('go', [{ text: 'Still here.' }])
  await expectSound(sandbox)
})

test('an agent that cannot go back to its conversation begins another, which is said, and is given the record', async () => {
  const sandbox = await acpSandbox(address, { resume: false, load: false })
  await sandbox.ready()
  sandbox.model.on('go', [{ text: 'Gone.' }])
  await sandbox.turnEnd(await sandbox.prompt('go'))
  const notices = () =>
    sandbox.platform
      .events('runtime')
      .filter(({ payload }) => payload['state'] === 'notice')
      .map(({ payload }) => String(payload['message']))
  expect(notices()).toEqual([])
  await sandbox.signal('SIGKILL')
  sandbox.start()
  await sandbox.ready()
  await expectSound(sandbox)
  expect(notices()).toEqual([
    'The agent began a new conversation and is given the platform’s record of this one: it cannot open an earlier one',
  ])
})
