import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keepRecord } from '../acp-sandbox.ts'
import { isRunning, processesWith } from '../processes.ts'
import { waitFor } from '../wait-for.ts'
import { bash, type RuntimeTests } from './runtime-tests.ts'

/** A runtime that is killed or started anew, and what it leaves behind. */
export function testRestarts({ dialect, sandbox, asked, words, lacks }: RuntimeTests): void {
  test('a runtime that is killed in mid-turn: the turn is interrupted, its command ends, the next prompt knows all', async () => {
    const { model, platform, workspace } = sandbox()
    model.on('sleep one', [bash('echo $$ > one.txt; sleep 600'), { text: 'never' }])
    const prompt_id = await sandbox().prompt('sleep one')
    const queued = await sandbox().prompt('still there?')
    const path = join(workspace, 'one.txt')
    const command = await waitFor('the command', () =>
      existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0,
    )
    const [server = 0] = processesWith(`AGENTRT_CONFIG_DIR=${workspace}`, dialect.word)
    expect(server).toBeGreaterThan(0)
    await waitFor('the report of the prompt', () =>
      platform.events('message').some(({ payload }) => payload['text'] === 'sleep one'),
    )
    // A prompt of which no work was told goes with the next one, and the scripted model would do it again.
    await waitFor('the report of the command', () =>
      JSON.stringify(platform.events('tool')).includes('one.txt'),
    )
    keepRecord(sandbox())
    process.kill(server, 'SIGKILL')
    expect(await sandbox().turnEnd(prompt_id)).toMatchObject({ status: 'interrupted' })
    await waitFor('the end of the command', () => !isRunning(command))
    expect(await sandbox().turnEnd(queued)).toMatchObject({ status: 'completed' })
    expect(asked()).toContain('sleep one')
    expect(asked()).toContain('It is written.')
    expect(platform.problems).toEqual([])
  })

  test('a restart goes on with the same conversation, on the session’s model and agent', async () => {
    const { model, platform } = sandbox()
    const before = await sandbox().ready()
    keepRecord(sandbox())
    expect(await sandbox().signal('SIGTERM')).toBe(0)
    expect(processesWith(`AGENTRT_CONFIG_DIR=${sandbox().workspace}`)).toEqual([])
    sandbox().start({ SVC_AGENTRT_MODEL: 'other-model', SVC_AGENT_NAME: 'reviewer' })
    const after = await sandbox().ready()
    expect(after.runtime.name).toBe(dialect.name)
    if (!lacks('going back')) expect(after.runtime.session_id).toBe(before.runtime.session_id)
    await sandbox().turnEnd(await sandbox().prompt('and now?'))
    expect(asked()).toContain('It is written.')
    if (!lacks('agent files')) expect(asked()).toContain('You only read.')
    if (!lacks('a choice of models')) expect(model.requests.at(-1)?.model).toBe('other-model')
    const ids = platform.events().map(({ event_id }) => event_id)
    expect(new Set(ids).size).toBe(ids.length)
    // The scripted model answers to what it is given of the record as well.
    if (!lacks('going back')) expect(words('It is written.')).toHaveLength(1)
    expect(platform.problems).toEqual([])
  })

  test('the last message can be taken back, or it is said that this agent cannot', async () => {
    await sandbox().turnEnd(await sandbox().prompt('forget this one'))
    const { body } = await sandbox().call('/svc/runtime/messages')
    const { messages } = body as { messages: { message_id: string; text: string }[] }
    const message_id = messages.findLast(({ text }) => text === 'forget this one')?.message_id
    const act = { kind: 'revert', message_id }
    const answer = await sandbox().call('/svc/runtime/act', { body: act })
    if (lacks('taking back')) {
      const refused = { code: 'RUNTIME_UNSUPPORTED', feature: 'revert' }
      return expect(answer).toMatchObject({ status: 409, body: refused })
    }
    expect(answer.status).toBe(200)
    await sandbox().turnEnd(await sandbox().prompt('go on'))
    expect(asked()).not.toContain('forget this one')
  })

  test('what is meant for a server of the runtime’s own gets there, or is answered that there is none', async () => {
    const headers = { 'x-svc-user-context': sandbox().userContext(), authorization: '' }
    const answer = await sandbox().call('/session', { headers })
    if (!lacks('a server')) return expect(answer.status).toBe(200)
    expect(answer).toMatchObject({ status: 404, body: { code: 'runtime_has_no_server' } })
  })

  test('no secret is in the log, and nothing of the runtime is in the repository', () => {
    const log = sandbox().output.join('')
    for (const secret of [sandbox().key, 'git-secret-token', 'svc_gw_for-the-agent', 'project-secret-value'])
      expect(log).not.toContain(secret)
    const env = { ...process.env, HOME: sandbox().home }
    const status = execFileSync('git', ['status', '--porcelain'], {
      cwd: sandbox().workspace,
      encoding: 'utf8',
      env,
    })
    expect(status.split('\n').filter((line) => line !== '' && !line.endsWith('.txt'))).toEqual([])
  })
}
