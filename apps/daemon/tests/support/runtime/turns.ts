import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isRunning } from '../processes.ts'
import { waitFor } from '../wait-for.ts'
import { bash, type RuntimeTests } from './runtime-tests.ts'

/** Prompts, what is told of their turns, and how these end. */
export function testTurns({ dialect, sandbox, asked, words, lacks }: RuntimeTests): void {
  test('is the one that the platform names', async () => {
    expect((await sandbox().ready()).runtime.name).toBe(dialect.name)
  })

  test('a prompt with a tool call and a file: told in order, with what it used', async () => {
    const { model, workspace } = sandbox()
    model.on('make a file', [
      { tool: dialect.write(join(workspace, 'made.txt'), 'by the agent\n') },
      { text: 'It is written.' },
    ])
    const end = await sandbox().turnEnd(await sandbox().prompt('make a file'))
    const events = sandbox().platform.events()
    expect(end).toMatchObject({ status: 'completed' })
    expect(readFileSync(join(workspace, 'made.txt'), 'utf8')).toBe('by the agent\n')
    const reported = events
      .filter(({ type }) => ['message', 'tool', 'file', 'usage'].includes(type))
      .map(({ type, payload }) => `${type} ${payload['status'] ?? payload['role'] ?? ''}`.trim())
    expect(reported.filter((line) => line !== 'usage')).toEqual([
      'message user',
      'tool pending',
      'tool running',
      'file',
      'tool completed',
      'message assistant',
      'message assistant',
    ])
    expect(events.find(({ type }) => type === 'file')?.payload).toEqual({ path: 'made.txt' })
    if (!lacks('token counts'))
      expect(events.find(({ type }) => type === 'usage')?.payload).toMatchObject({
        input_tokens: 111,
        output_tokens: 22,
      })
    expect(words('It is written.')).toHaveLength(1)
    const { body } = await sandbox().call('/svc/runtime/messages')
    expect(body).toMatchObject({
      messages: [
        { role: 'user', text: 'make a file' },
        { role: 'assistant', tools: [{ tool: 'write', status: 'completed' }] },
        { role: 'assistant', text: 'It is written.', error: null },
      ],
    })
  })

  test('the answer is told while it comes', async () => {
    const { model, platform } = sandbox()
    const gate = { open: (): void => undefined }
    const hold = new Promise<void>((resolve) => (gate.open = resolve))
    model.on('speak slowly', [{ text: 'first words', hold }])
    const prompt_id = await sandbox().prompt('speak slowly')
    await waitFor('the first words', () =>
      platform.events('message.delta').some(({ payload }) => String(payload['delta']).includes('first')),
    )
    gate.open()
    expect((await sandbox().turnEnd(prompt_id)).status).toBe('completed')
  })

  test('a commit that the agent pushes is on the origin', async () => {
    const { model, origin, session_id } = sandbox()
    model.on('commit it', [bash('git add -A && git commit -qm work && git push 2>&1'), { text: 'pushed' }])
    expect((await sandbox().turnEnd(await sandbox().prompt('commit it'))).status).toBe('completed')
    expect(origin.git('log', '--format=%s %an', '-1', session_id)).toBe('work svc coder')
    expect(origin.git('show', `${session_id}:made.txt`)).toBe('by the agent')
    expect(model.requests.every(({ authorization }) => authorization === 'Bearer svc_gw_for-the-agent')).toBe(
      true,
    )
  })

  test('the agent’s commands see neither the sandbox’s key nor the runtime’s own', async () => {
    const { model, platform, key } = sandbox()
    model.on('show all', [bash('env'), { text: 'shown' }])
    await sandbox().turnEnd(await sandbox().prompt('show all'))
    const output = String(platform.events('tool').at(-1)?.payload['output'])
    expect(output).toContain('SVC_CLI_TOKEN=svc_pat_for-the-agent')
    expect(output).toContain(`AGENTRT_CONFIG_DIR=${sandbox().workspace}/tools/agent`)
    expect(output).not.toContain(key)
    expect(output).not.toContain('SVC_PI_SETTINGS')
  })

  test('two prompts are worked off in their order, one at a time', async () => {
    const { model, platform } = sandbox()
    const first = await sandbox().prompt('one of two')
    const second = await sandbox().prompt('two of two')
    await sandbox().turnEnd(second)
    const turns = platform.reports.flatMap((report) =>
      report.kind === 'turn_begin' || report.kind === 'turn_end'
        ? [`${report.kind} ${report.prompt_id}`]
        : [],
    )
    expect(turns.slice(-4)).toEqual([
      `turn_begin ${first}`,
      `turn_end ${first}`,
      `turn_begin ${second}`,
      `turn_end ${second}`,
    ])
    expect(asked()).toContain('heard: one of two')
    expect(model.requests.at(-1)?.messages.at(-1)?.role).toBe('user')
  })

  test('an abort ends the turn and the command in it', async () => {
    const { model, workspace } = sandbox()
    model.on('sleep long', [bash('echo $$ > pid.txt; sleep 600'), { text: 'awake' }])
    const pidFile = join(workspace, 'pid.txt')
    const prompt_id = await sandbox().prompt('sleep long')
    const pid = await waitFor('the command', () =>
      existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : 0,
    )
    expect((await sandbox().call('/svc/abort', { method: 'POST' })).status).toBe(200)
    expect((await sandbox().turnEnd(prompt_id)).status).toBe('aborted')
    await waitFor('the end of the command', () => !isRunning(pid))
    expect((await sandbox().turnEnd(await sandbox().prompt('and after it'))).status).toBe('completed')
  })

  test('an abort in the middle of an answer ends the turn', async () => {
    const { model, platform } = sandbox()
    model.on('speak for ever', [{ text: 'endless words', hold: new Promise<void>(() => undefined) }])
    const prompt_id = await sandbox().prompt('speak for ever')
    await waitFor('the first words', () =>
      platform.events('message.delta').some(({ payload }) => String(payload['delta']).includes('endless')),
    )
    expect((await sandbox().call('/svc/abort', { method: 'POST' })).status).toBe(200)
    expect((await sandbox().turnEnd(prompt_id)).status).toBe('aborted')
  })

  test.each([
    ['429', 429],
    ['500', 500],
    ['a cut stream', 'cut'],
  ] as const)('%s of the model is tried again, and the answer is told once', async (name, failure) => {
    const text = `after ${name}`
    sandbox().model.on(`fails with ${name}`, [{ text, before: [failure] }])
    expect(await sandbox().turnEnd(await sandbox().prompt(`fails with ${name}`))).toMatchObject({
      status: 'completed',
    })
    expect(words(text)).toHaveLength(1)
  })

  test('what the model refuses for good ends the turn with its words', async () => {
    const { model, platform } = sandbox()
    model.on('bad request', [{ status: 400 }])
    const end = await sandbox().turnEnd(await sandbox().prompt('bad request'))
    expect(end).toMatchObject({ status: 'error' })
    expect(end.error).toContain('scripted 400')
    expect(JSON.stringify(platform.events('error').at(-1)?.payload)).toContain('scripted 400')
  })
}
