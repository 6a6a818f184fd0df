import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { waitFor } from '../wait-for.ts'
import { bash, type RuntimeTests } from './runtime-tests.ts'

/** Tools of the runtime: what it asks its people, what it leaves running, its lists and its helpers. */
export function testTools({ dialect, sandbox, asked, words, testOf }: RuntimeTests): void {
  testOf('asks')('a permission is asked for and given, or refused', async () => {
    const { model, platform, workspace, session_id } = sandbox()
    for (const [reply, done] of [
      ['reject', false],
      ['once', true],
    ] as const) {
      model.on(`needs leave ${reply}`, [bash(`touch asked-${reply}.txt`), { text: 'over' }])
      const before = platform.asks.length
      const prompt_id = await sandbox().prompt(`needs leave ${reply}`)
      const ask = await waitFor('the ask', () => platform.asks[before])
      expect(ask).toMatchObject({ path: 'turn-permission', body: { session_id, permission: 'bash' } })
      const { request_id } = ask.body as { request_id: string }
      const act = { kind: 'permission', id: request_id, reply, ...(done ? {} : { message: 'not this' }) }
      expect((await sandbox().call('/svc/runtime/act', { body: act })).status).toBe(200)
      expect((await sandbox().turnEnd(prompt_id)).status).toBe('completed')
      expect(existsSync(join(workspace, `asked-${reply}.txt`))).toBe(done)
    }
    const byPeople = platform.events('permission').filter(({ payload }) => payload['by'] !== 'agent_file')
    const states = byPeople.map(({ payload }) => payload['state'])
    expect(states).toEqual(['asked', 'rejected', 'asked', 'replied'])
  })

  test('a program that the agent leaves running can be seen: page, event stream and WebSocket', async () => {
    const { model, workspace, address } = sandbox()
    model.on('show it', [bash('node preview.mjs > /dev/null 2>&1 &'), { text: 'it runs' }])
    expect((await sandbox().turnEnd(await sandbox().prompt('show it'))).status).toBe('completed')
    const file = join(workspace, 'port.txt')
    const port = await waitFor('the program', () => (existsSync(file) ? readFileSync(file, 'utf8') : ''))
    const headers = { 'x-svc-user-context': sandbox().userContext(), authorization: '' }
    const page = await sandbox().call(`/proxy/${port}/a?b`, { headers })
    expect(page).toMatchObject({ status: 200, body: 'seen /a?b' })

    const stop = new AbortController()
    const base = `//${address}:8000/proxy/${port}`
    const events = await fetch(`http:${base}/events`, { headers, signal: stop.signal })
    const first = await events.body?.getReader().read()
    expect(Buffer.from(first?.value ?? []).toString()).toBe('data: first\n\n')
    stop.abort()

    const socket = new WebSocket(`ws:${base}/socket`, { headers })
    expect(String((await once(socket, 'message'))[0])).toBe('hello')
    socket.terminate()
    for (const blocked of [22, 4096, 8000]) {
      expect((await sandbox().call(`/proxy/${blocked}/`, { headers })).status).toBe(403)
    }
  })

  testOf('questions')('a question is asked and answered', async () => {
    const { model, platform } = sandbox()
    const options = [{ label: 'Blue', description: 'b' }]
    const questions = [{ question: 'Which colour?', header: 'Colour', options }]
    const call = dialect.ask?.('Which colour?', 'Blue') ?? { name: 'question', args: { questions } }
    model.on('ask me', [{ tool: call }, { text: 'thanks' }])
    const prompt_id = await sandbox().prompt('ask me')
    const ask = await waitFor('the question', () =>
      platform.asks.find(({ path }) => path === 'turn-question'),
    )
    const { request_id } = ask.body as { request_id: string }
    const act = { kind: 'question', id: request_id, answers: [['Blue']] }
    expect((await sandbox().call('/svc/runtime/act', { body: act })).status).toBe(200)
    expect((await sandbox().turnEnd(prompt_id)).status).toBe('completed')
    expect(JSON.stringify(model.requests.at(-1)?.messages.at(-1))).toContain('Blue')
  })

  testOf('todo lists')('a todo list is told', async () => {
    const todos = [{ content: 'one', status: 'in_progress', priority: 'high' }]
    const call = dialect.plan?.('one') ?? { name: 'todowrite', args: { todos } }
    sandbox().model.on('plan it', [{ tool: call }, { text: 'planned' }])
    await sandbox().turnEnd(await sandbox().prompt('plan it'))
    expect(sandbox().platform.events('todo').at(-1)?.payload).toMatchObject({ todos: [{ content: 'one' }] })
  })

  testOf('subagents')(
    'a subagent’s work keeps to its parent, and the turn ends with the parent',
    async () => {
      const { model, platform, workspace } = sandbox()
      const task = { description: 'child work', prompt: 'work of the child', subagent_type: 'general' }
      model.on('use a helper', [{ tool: { name: 'task', args: task } }, { text: 'the helper is done' }])
      model.on('work of the child', [bash('touch by-child.txt'), { text: 'child words' }])
      expect((await sandbox().turnEnd(await sandbox().prompt('use a helper'))).status).toBe('completed')
      expect(existsSync(join(workspace, 'by-child.txt'))).toBe(true)
      expect(words('child words')).toHaveLength(0)
      expect(words('the helper is done')).toHaveLength(1)
      expect(asked()).toContain('child words')
      const byChild = platform
        .events('tool')
        .filter(({ payload }) => payload['tool'] === 'bash' && typeof payload['subagent'] === 'string')
      expect(byChild.length).toBeGreaterThan(0)
    },
  )
}
