import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pi } from './support/dialects.ts'
import { describeDaemon } from './support/each-file.ts'
import { listen } from './support/listen.ts'
import { waitFor } from './support/wait-for.ts'

describeDaemon(pi, '127.41.0.1', (sandbox) => {
  const inWorkspace = (...args: string[]): string =>
    execFileSync('git', args, {
      cwd: sandbox().workspace,
      encoding: 'utf8',
      env: { ...process.env, HOME: sandbox().home },
    }).trim()
  const bash = (command: string) => ({ tool: { name: 'bash', args: { command, description: 'runs it' } } })

  test('boots: clones the branch with a just-in-time credential and runs the first prompt', async () => {
    const { model, platform, origin, session_id, workspace } = sandbox()
    model.on('first prompt', [
      { tool: pi.write(join(workspace, 'made.txt'), 'by the agent\n') },
      { text: 'It is written.' },
    ])
    sandbox().start({ SVC_INITIAL_PROMPT: 'the first prompt' })
    expect((await sandbox().turnEnd(session_id)).status).toBe('completed')

    const health = await sandbox().ready()
    expect(health.repo).toMatchObject({
      branch: session_id,
      commit: origin.git('rev-parse', session_id),
      error: null,
    })
    expect(readFileSync(join(workspace, 'made.txt'), 'utf8')).toBe('by the agent\n')
    expect(platform.problems).toEqual([])
    const config =
      readFileSync(join(workspace, '.git/config'), 'utf8') +
      readFileSync(join(workspace, '.git/svc-agent.config'), 'utf8')
    expect(config).not.toContain('git-secret-token')
    expect(inWorkspace('status', '--porcelain')).toBe('?? made.txt')
  })

  test('tells the platform in order what happened', async () => {
    const { platform, session_id } = sandbox()
    const reported = platform
      .events()
      .map(({ type, payload }) => `${type} ${payload['status'] ?? payload['role'] ?? ''}`.trim())
    expect(reported.filter((line) => /^(message|tool|file)/.test(line))).toEqual([
      'message user',
      'tool pending',
      'tool running',
      'file',
      'tool completed',
      'message assistant',
      'message assistant',
    ])
    expect(platform.events('file')[0]?.payload).toEqual({ path: 'made.txt' })
    expect(platform.events('usage')[0]?.payload).toMatchObject({ input_tokens: 111, output_tokens: 22 })
    expect(platform.events('message').at(-1)?.payload).toMatchObject({ text: 'It is written.', error: null })
    const kinds = await waitFor('the release of the lease', () =>
      platform.kinds().includes('execution_lease_release') ? platform.kinds() : null,
    )
    expect(kinds.indexOf('execution_heartbeat')).toBeGreaterThan(-1)
    expect(kinds.indexOf('turn_end')).toBeGreaterThan(kinds.lastIndexOf('events'))
    expect(kinds.indexOf('execution_lease_release')).toBeGreaterThan(kinds.indexOf('turn_end'))
    expect(platform.reports.find(({ kind }) => kind === 'turn_begin')).toMatchObject({
      prompt_id: session_id,
    })
  })

  test('the agent has the session’s tokens and may push; the sandbox’s own key stays away from it', async () => {
    const { model, origin, session_id, key, platform } = sandbox()
    model.on('show and push', [
      bash('env; git add -A && git commit -qm work && git push 2>&1'),
      { text: 'pushed' },
    ])
    const { status } = await sandbox().turnEnd(await sandbox().prompt('show and push'))
    expect(status).toBe('completed')
    const output = JSON.stringify(platform.events('tool').at(-1)?.payload)
    expect(output).toContain('SVC_CLI_TOKEN=svc_pat_for-the-agent')
    expect(output).toContain('PROJECT_SECRET=project-secret-value')
    expect(output).toContain('AGENTRT_CONFIG_DIR=')
    expect(output).not.toContain(key)
    expect(origin.git('log', '--format=%s %an', '-1', session_id)).toBe('work svc coder')
    expect(origin.git('show', `${session_id}:made.txt`)).toBe('by the agent')
    expect(model.requests.every(({ authorization }) => authorization === 'Bearer svc_gw_for-the-agent')).toBe(
      true,
    )
  })

  test('a prompt during a turn waits for its end, and a repeated one counts once', async () => {
    const { model, platform } = sandbox()
    const gate = { open: (): void => undefined }
    const hold = new Promise<void>((resolve) => (gate.open = resolve))
    model.on('slow one', [{ text: 'slow answer', hold }])
    const slow = await sandbox().prompt('slow one')
    await waitFor('the slow turn', () =>
      model.requests.some(({ messages }) => JSON.stringify(messages.at(-1)).includes('slow one')),
    )
    const next = await sandbox().prompt('quick one')
    expect(
      (await sandbox().call('/svc/runtime/prompt', { body: { text: 'quick one', prompt_id: next } })).status,
    ).toBe(202)
    expect((await sandbox().call('/svc/runtime/state')).body).toMatchObject({
      status: 'busy',
      current_prompt_id: slow,
      queue: [{ prompt_id: next }],
    })
    gate.open()
    await sandbox().turnEnd(next)
    const turns = platform.reports.flatMap((r) =>
      r.kind === 'turn_begin' || r.kind === 'turn_end' ? [`${r.kind} ${r.prompt_id}`] : [],
    )
    expect(turns.slice(-4)).toEqual([
      `turn_begin ${slow}`,
      `turn_end ${slow}`,
      `turn_begin ${next}`,
      `turn_end ${next}`,
    ])
    expect(
      model.requests.filter(({ messages }) => JSON.stringify(messages.at(-1)).includes('quick one')),
    ).toHaveLength(1)
  })

  test('a prompt that waits while the runtime restarts is worked on by the next one', async () => {
    const { model } = sandbox()
    // The process that ends may still answer or not, which is a matter of moments: hence three rounds.
    for (const round of ['one', 'two', 'three']) {
      const gate = { open: (): void => undefined }
      const hold = new Promise<void>((resolve) => (gate.open = resolve))
      model.on(`held ${round}`, [{ text: 'held answer', hold }])
      model.on(`behind ${round}`, [bash('echo "round $ROUND"'), { text: 'seen' }])
      const held = await sandbox().prompt(`held ${round}`)
      await waitFor('the held turn', () =>
        model.requests.some(({ messages }) => JSON.stringify(messages.at(-1)).includes(`held ${round}`)),
      )
      const behind = await sandbox().prompt(`behind ${round}`)
      await sandbox().call('/svc/env', { body: { set: { ROUND: round } } })
      gate.open()
      expect((await sandbox().turnEnd(held)).status).toBe('completed')
      expect(await sandbox().turnEnd(behind)).toMatchObject({ status: 'completed' })
      expect(String(sandbox().platform.events('tool').at(-1)?.payload['output'])).toContain(`round ${round}`)
    }
  })

  test('a restart keeps the conversation and does not run the first prompt again', async () => {
    const { model, platform } = sandbox()
    const before = await sandbox().ready()
    const firsts = () =>
      model.requests.filter(({ messages }) => JSON.stringify(messages.at(-1)).includes('first prompt')).length
    const count = firsts()
    expect(await sandbox().signal('SIGTERM')).toBe(0)
    sandbox().start({ SVC_INITIAL_PROMPT: 'the first prompt' })
    const after = await sandbox().ready()
    expect(after.runtime.session_id).toBe(before.runtime.session_id)
    await sandbox().turnEnd(await sandbox().prompt('and now?'))
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('It is written.')
    expect(firsts()).toBe(count)
    expect(platform.problems).toEqual([])
    const ids = platform.reports.flatMap((report) => (report.kind === 'turn_end' ? [report.prompt_id] : []))
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('no secret is in the log', () => {
    const log = sandbox().output.join('')
    for (const secret of [
      sandbox().key,
      'git-secret-token',
      'svc_pat_for-the-agent',
      'svc_gw_for-the-agent',
      'project-secret-value',
    ]) {
      expect(log).not.toContain(secret)
    }
    for (const line of log.trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow()
  })

  test('a busy sandbox tells its provider that it is in use, where the platform says how', async () => {
    const { address, model, platform } = sandbox()
    const touched: (string | undefined)[] = []
    const edge = createServer((request, response) => {
      touched.push(`${request.method} ${request.url} ${request.headers['x-provider-key']}`)
      response.end()
    })
    const { port, close } = await listen(edge, address)
    platform.edge = {
      provider_url: `http://${address}:${port}/keep-alive`,
      provider_headers: { 'x-provider-key': 'k' },
    }
    model.on('be busy', [bash('true'), { text: 'was busy' }])
    await sandbox().turnEnd(await sandbox().prompt('be busy'))
    await waitFor('the touch', () => touched.length > 0)
    expect(touched[0]).toBe('GET /keep-alive k')
    platform.edge = null
    await close()
  })
})
