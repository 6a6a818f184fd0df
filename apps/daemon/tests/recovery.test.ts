import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pi } from './support/dialects.ts'
import { describeDaemon } from './support/each-file.ts'
import { isRunning, processesWith } from './support/processes.ts'
import { waitFor } from './support/wait-for.ts'

describeDaemon(pi, '127.41.0.2', (sandbox) => {
  const sleeper = (file: string) => ({
    tool: { name: 'bash', args: { command: `echo $$ > ${file}; sleep 600`, description: 'sleeps' } },
  })
  const sleepingPid = (file: string): Promise<number> => {
    const path = join(sandbox().workspace, file)
    return waitFor('the command', () => (existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0))
  }

  test('a clone that fails for good says why, and a refresh tries again', async () => {
    const { platform, origin } = sandbox()
    const right = platform.credential
    platform.credential = {
      repo_url: origin.url,
      auth: { username: 'x-access-token', token: 'wrong', type: 'basic' },
      source: 'managed',
      expires_at: null,
    }
    sandbox().start()
    const health = await waitFor('the failure', async () => {
      const now = await sandbox().health()
      return now?.repo.state === 'failed' ? now : null
    })
    expect(health.status).toBe('degraded')
    expect(health.error).toContain('Authentication failed')
    await waitFor('the error event', () => platform.events('error').length > 0)

    platform.credential = right
    const answer = await sandbox().call('/svc/refresh', { method: 'POST' })
    expect(answer).toMatchObject({ status: 200, body: { ok: true, repo: { state: 'ready' } } })
    await sandbox().ready()
  })

  test('an outage of the platform loses no report and keeps their order', async () => {
    const { model, platform, workspace } = sandbox()
    const writes = Array.from({ length: 5 }, (_, n) => ({
      tool: pi.write(join(workspace, `out-${n}.txt`), 'x'),
    }))
    model.on('work alone', [...writes, { text: 'done alone' }])
    platform.up = false
    const prompt_id = await sandbox().prompt('work alone')
    await waitFor('the work', () => existsSync(join(workspace, 'out-4.txt')))
    await waitFor('idle', async () => {
      const { body } = await sandbox().call('/svc/runtime/state')
      return JSON.stringify(body).includes('"status":"idle"')
    })
    // Killed while the platform is away: what was not delivered is on disk.
    await sandbox().signal('SIGKILL')
    platform.up = true
    sandbox().start()
    expect((await sandbox().turnEnd(prompt_id)).status).toBe('completed')
    const files = platform.events('file').map(({ payload }) => payload['path'])
    expect(files.filter((path) => String(path).startsWith('out-'))).toEqual(
      [0, 1, 2, 3, 4].map((n) => `out-${n}.txt`),
    )
    expect(platform.events('message').at(-1)?.payload).toMatchObject({ text: 'done alone' })
    await sandbox().ready()
  })

  test('the daemon killed in the middle of a turn: the turn is interrupted and not run again, the queue goes on', async () => {
    const { model } = sandbox()
    model.on('sleep two', [sleeper('two.txt'), { text: 'never' }])
    const prompt_id = await sandbox().prompt('sleep two')
    const command = await sleepingPid('two.txt')
    const queued = await sandbox().prompt('waits behind')
    await sandbox().signal('SIGKILL')
    const runs = model.requests.length
    sandbox().start()
    await waitFor('the end of the command', () => !isRunning(command))
    expect(await sandbox().turnEnd(prompt_id)).toMatchObject({ status: 'interrupted' })
    expect(await sandbox().turnEnd(queued)).toMatchObject({ status: 'completed' })
    expect(model.requests.length).toBe(runs + 1)
  })

  test('a resumed clone keeps local work and takes what the origin has when it can', async () => {
    const { origin, session_id, workspace } = sandbox()
    await sandbox().ready()
    await sandbox().signal('SIGTERM')
    execFileSync('git', ['clean', '-fdq'], { cwd: workspace })
    origin.commit(session_id, { 'from-origin.txt': 'new' })
    sandbox().start()
    expect((await sandbox().ready()).repo.commit).toBe(origin.git('rev-parse', session_id))
    expect(existsSync(join(workspace, 'from-origin.txt'))).toBe(true)

    execFileSync('sh', ['-c', 'echo mine > README.md'], { cwd: workspace })
    origin.commit(session_id, { 'README.md': 'theirs\n' })
    const answer = await sandbox().call('/svc/refresh', { method: 'POST' })
    expect(answer).toMatchObject({
      status: 409,
      body: { code: 'refresh_blocked', message: expect.stringMatching(/not committed; commit or stash it/) },
    })
    expect(readFileSync(join(workspace, 'README.md'), 'utf8')).toBe('mine\n')
    await sandbox().ready()
  })

  test('SIGTERM in the middle of a turn: it is reported interrupted, and nothing is left running', async () => {
    const { model, platform } = sandbox()
    model.on('sleep three', [sleeper('three.txt'), { text: 'never' }])
    const prompt_id = await sandbox().prompt('sleep three')
    const command = await sleepingPid('three.txt')
    expect(await sandbox().signal('SIGTERM')).toBe(0)
    expect(
      platform.reports.find((report) => report.kind === 'turn_end' && report.prompt_id === prompt_id),
    ).toMatchObject({
      status: 'interrupted',
    })
    expect(isRunning(command)).toBe(false)
    expect(processesWith(`AGENTRT_CONFIG_DIR=${sandbox().workspace}`)).toEqual([])
  })

  test('a runtime that cannot stay up is given up with its last words', async () => {
    const { platform } = sandbox()
    const before = platform.events('error').length
    sandbox().start({ PATH: process.env['PATH'] ?? '' })
    const health = await waitFor('giving up', async () => {
      const now = await sandbox().health()
      return now?.runtime.state === 'failed' ? now : null
    })
    expect(health).toMatchObject({ status: 'degraded', repo: { state: 'ready' } })
    expect(health.error).toContain('could not be started')
    await waitFor('the error event', () => platform.events('error').length > before)
  })
})
