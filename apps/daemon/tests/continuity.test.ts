import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pi } from './support/dialects.ts'
import { describeDaemon } from './support/each-file.ts'
import { isRunning } from './support/processes.ts'
import { waitFor } from './support/wait-for.ts'

describeDaemon(pi, '127.41.0.21', (sandbox) => {
  const bash = (command: string) => ({ tool: { name: 'bash', args: { command, description: 'runs it' } } })
  const checkpoint = (state: string) =>
    waitFor(`a checkpoint that is ${state}`, () =>
      sandbox()
        .platform.events('checkpoint')
        .find(({ payload }) => payload['state'] === state),
    )
  const pidIn = (file: string): Promise<number> => {
    const path = join(sandbox().workspace, file)
    return waitFor('the command', () => (existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0))
  }

  test('a turn that changed something is saved where nobody lists it, with the sandbox’s own key', async () => {
    const { model, platform, session_id, workspace } = sandbox()
    sandbox().start()
    await sandbox().ready()
    model.on('half the work', [
      bash(`echo half > work.txt; echo staged > staged.txt; git add staged.txt; echo one >> README.md`),
      { text: 'Half is done.' },
    ])
    expect((await sandbox().turnEnd(await sandbox().prompt('half the work'))).status).toBe('completed')
    expect((await checkpoint('saved')).payload).toMatchObject({ number: 1, reason: 'turn' })
    expect(platform.checkpoints('for-each-ref', '--format=%(refname)')).toBe(
      `refs/svc/checkpoints/${session_id}/1`,
    )
    expect(platform.checkpoints('show', `refs/svc/checkpoints/${session_id}/1:work.txt`)).toBe('half')
    expect(readFileSync(join(workspace, '.git/config'), 'utf8')).not.toContain('Basic')
    expect(platform.problems).toEqual([])
  })

  test('the next sandbox, which has nothing, gets the files and the conversation', async () => {
    const { model, platform, workspace, home } = sandbox()
    await sandbox().signal('SIGKILL')
    for (const folder of [workspace, home]) rmSync(folder, { recursive: true, force: true })
    mkdirSync(home)
    const message = { at: '2026-01-01T00:00:00.000Z', tools: [], error: null }
    platform.history = [
      { ...message, message_id: 'p', role: 'user', text: 'Do the beginning' },
      { ...message, message_id: 'm', role: 'assistant', text: 'Half is done.' },
    ]
    model.on('the other half', [bash('cat work.txt; git status --porcelain'), { text: 'Now all.' }])
    sandbox().start({ SVC_SESSION_CONTINUES: '1' })
    await sandbox().ready()
    expect((await sandbox().turnEnd(await sandbox().prompt('the other half'))).status).toBe('completed')
    expect((await checkpoint('restored')).payload).toMatchObject({ number: 1 })
    const output = String(platform.events('tool').at(-1)?.payload['output'])
    for (const line of ['half', 'A  staged.txt', ' M README.md', '?? work.txt'])
      expect(output).toContain(line)
    const messages = JSON.stringify(model.requests.at(-1)?.messages)
    expect(messages).toContain('> Do the beginning')
    expect(messages).toContain('> Half is done.')
    // Told once: the runtime knows it from here on.
    await sandbox().turnEnd(await sandbox().prompt('and then?'))
    const last = JSON.stringify(model.requests.at(-1)?.messages.at(-1))
    expect(last).toContain('and then?')
    expect(last).not.toContain('conversation so far')
  })

  test('a drain gives the turn a moment, interrupts it and saves the work; a new prompt goes on', async () => {
    const { model, platform } = sandbox()
    model.on('works long', [
      bash('echo $$ > pid.txt; echo drained > drained.txt; sleep 600'),
      { text: 'never' },
    ])
    const prompt_id = await sandbox().prompt('works long')
    const command = await pidIn('pid.txt')
    const drained = sandbox().call('/svc/drain', {
      body: { why: 'The session was stopped', within_ms: 20_000 },
    })
    // On its way while the sandbox is drained: it waits, since its turn would only be cut short.
    const queued = await sandbox().prompt('queued behind')
    const answer = await drained
    expect(answer).toMatchObject({ status: 200, body: { ok: true, checkpoint: expect.any(Number) } })
    expect(await sandbox().turnEnd(prompt_id)).toMatchObject({
      status: 'interrupted',
      error: 'The session was stopped',
    })
    await waitFor('the end of the command', () => !isRunning(command))
    expect((await sandbox().call('/svc/runtime/state')).body).toMatchObject({
      current_prompt_id: null,
      queue: [{ prompt_id: queued }],
    })
    const withdrawn = { body: { prompt_id: queued } }
    expect((await sandbox().call('/svc/withdraw', withdrawn)).status).toBe(200)
    expect((await sandbox().call('/svc/withdraw', withdrawn)).status).toBe(409)
    expect((await sandbox().turnEnd(await sandbox().prompt('goes on'))).status).toBe('completed')
    const reported = platform.reports.filter((report) => 'prompt_id' in report && report.prompt_id === queued)
    expect(reported).toEqual([])
  })

  test('a permission that nobody gives is refused after its time, and the turn goes on', async () => {
    const { model, platform } = sandbox()
    await sandbox().signal('SIGTERM')
    sandbox().start({ SVC_ASK_TIMEOUT_SECONDS: '1' })
    await sandbox().ready()
    model.on('ask me', [bash('touch asked.txt'), { text: 'I went on without it.' }])
    expect((await sandbox().turnEnd(await sandbox().prompt('ask me'))).status).toBe('completed')
    const reported = platform.events('permission').map(({ payload }) => payload)
    expect(reported).toContainEqual(
      expect.objectContaining({ state: 'timed_out', message: 'No answer came within 1 s' }),
    )
    expect(platform.events('message').at(-1)?.payload).toMatchObject({ text: 'I went on without it.' })
    expect(existsSync(join(sandbox().workspace, 'asked.txt'))).toBe(false)
  })

  test('prompts that no runtime will ever work on have an end', async () => {
    await sandbox().signal('SIGTERM')
    sandbox().start({ PATH: process.env['PATH'] ?? '' })
    await waitFor('the daemon', async () => (await sandbox().health()) !== null)
    const prompt_id = await sandbox().prompt('nobody is there')
    expect(await sandbox().turnEnd(prompt_id)).toMatchObject({
      status: 'error',
      error: expect.stringContaining('keeps ending'),
    })
  })
})
