import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Ability, Dialect } from './dialects.ts'
import { isRunning, processesWith } from './processes.ts'
import { runtimeFiles } from './runtime-files.ts'
import { makeSandbox, type Sandbox } from './sandbox.ts'
import { waitFor } from './wait-for.ts'

/** The platform's expectations of every agent runtime, tried on the real one behind the daemon as it is shipped. */
export function describeRuntime(dialect: Dialect, address: string): void {
  describe.skipIf(dialect.missing !== null)(`the runtime ${dialect.name}`, () => {
    let sandbox: Sandbox

    beforeAll(async () => {
      sandbox = await makeSandbox({ ...(await dialect.make()), address, told: dialect.name })
      sandbox.origin.commit('main', runtimeFiles(dialect.name))
      sandbox.origin.commit(sandbox.session_id, {}, 'main')
      sandbox.start()
      await sandbox.ready()
    })
    afterAll(() => sandbox.close())

    const bash = (command: string) => ({ tool: { name: 'bash', args: { command, description: 'runs it' } } })
    const asked = () => JSON.stringify(sandbox.model.requests.at(-1)?.messages)
    const eventsAfter = async (prompt_id: string) => {
      const end = await sandbox.turnEnd(prompt_id)
      return { end, events: sandbox.platform.events() }
    }
    const lacks = (ability: Ability) => dialect.lacks.includes(ability)
    // A thing that a runtime cannot do is no test of it; a skipped one would look like one that could not run.
    const testOf = (ability: Ability) => (lacks(ability) ? () => undefined : test)
    const words = (text: string) =>
      sandbox.platform
        .events('message')
        .filter(({ payload }) => payload['role'] === 'assistant' && payload['text'] === text)

    test('is the one that the platform names', async () => {
      expect((await sandbox.ready()).runtime.name).toBe(dialect.name)
    })

    test('a prompt with a tool call and a file: told in order, with what it used', async () => {
      const { model, workspace } = sandbox
      model.on('make a file', [
        { tool: dialect.write(join(workspace, 'made.txt'), 'by the agent\n') },
        { text: 'It is written.' },
      ])
      const { end, events } = await eventsAfter(await sandbox.prompt('make a file'))
      expect(end).toMatchObject({ status: 'completed' })
      expect(readFileSync(join(workspace, 'made.txt'), 'utf8')).toBe('by the agent\n')
      const told = events
        .filter(({ type }) => ['message', 'tool', 'file', 'usage'].includes(type))
        .map(({ type, payload }) => `${type} ${payload['status'] ?? payload['role'] ?? ''}`.trim())
      expect(told.filter((line) => line !== 'usage')).toEqual([
        'message user',
        'tool pending',
        'tool running',
        'file',
        'tool completed',
        'message assistant',
        'message assistant',
      ])
      expect(events.find(({ type }) => type === 'file')?.payload).toEqual({ path: 'made.txt' })
      expect(events.find(({ type }) => type === 'usage')?.payload).toMatchObject({
        input_tokens: 111,
        output_tokens: 22,
      })
      expect(words('It is written.')).toHaveLength(1)
      const { body } = await sandbox.call('/svc/runtime/messages')
      expect(body).toMatchObject({
        messages: [
          { role: 'user', text: 'make a file' },
          { role: 'assistant', tools: [{ tool: 'write', status: 'completed' }] },
          { role: 'assistant', text: 'It is written.', error: null },
        ],
      })
    })

    test('the answer is told while it comes', async () => {
      const { model, platform } = sandbox
      const gate = { open: (): void => undefined }
      const hold = new Promise<void>((resolve) => (gate.open = resolve))
      model.on('speak slowly', [{ text: 'first words', hold }])
      const prompt_id = await sandbox.prompt('speak slowly')
      await waitFor('the first words', () =>
        platform.events('message.delta').some(({ payload }) => String(payload['delta']).includes('first')),
      )
      gate.open()
      expect((await sandbox.turnEnd(prompt_id)).status).toBe('completed')
    })

    test('a commit that the agent pushes is on the origin', async () => {
      const { model, origin, session_id } = sandbox
      model.on('commit it', [bash('git add -A && git commit -qm work && git push 2>&1'), { text: 'pushed' }])
      expect((await sandbox.turnEnd(await sandbox.prompt('commit it'))).status).toBe('completed')
      expect(origin.git('log', '--format=%s %an', '-1', session_id)).toBe('work svc coder')
      expect(origin.git('show', `${session_id}:made.txt`)).toBe('by the agent')
      expect(
        model.requests.every(({ authorization }) => authorization === 'Bearer svc_gw_for-the-agent'),
      ).toBe(true)
    })

    test('the agent’s commands see neither the sandbox’s key nor the runtime’s own', async () => {
      const { model, platform, key } = sandbox
      model.on('show all', [bash('env'), { text: 'shown' }])
      await sandbox.turnEnd(await sandbox.prompt('show all'))
      const output = String(platform.events('tool').at(-1)?.payload['output'])
      expect(output).toContain('SVC_CLI_TOKEN=svc_pat_for-the-agent')
      expect(output).toContain(`AGENTRT_CONFIG_DIR=${sandbox.workspace}/tools/agent`)
      expect(output).not.toContain(key)
      expect(output).not.toContain('SVC_PI_SETTINGS')
    })

    test('two prompts are worked off in their order, one at a time', async () => {
      const { model, platform } = sandbox
      const first = await sandbox.prompt('one of two')
      const second = await sandbox.prompt('two of two')
      await sandbox.turnEnd(second)
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
      const { model, workspace } = sandbox
      model.on('sleep long', [bash('echo $$ > pid.txt; sleep 600'), { text: 'awake' }])
      const pidFile = join(workspace, 'pid.txt')
      const prompt_id = await sandbox.prompt('sleep long')
      const pid = await waitFor('the command', () =>
        existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : 0,
      )
      expect((await sandbox.call('/svc/abort', { method: 'POST' })).status).toBe(200)
      expect((await sandbox.turnEnd(prompt_id)).status).toBe('aborted')
      await waitFor('the end of the command', () => !isRunning(pid))
      expect((await sandbox.turnEnd(await sandbox.prompt('and after it'))).status).toBe('completed')
    })

    test('an abort in the middle of an answer ends the turn', async () => {
      const { model, platform } = sandbox
      model.on('speak for ever', [{ text: 'endless words', hold: new Promise<void>(() => undefined) }])
      const prompt_id = await sandbox.prompt('speak for ever')
      await waitFor('the first words', () =>
        platform.events('message.delta').some(({ payload }) => String(payload['delta']).includes('endless')),
      )
      expect((await sandbox.call('/svc/abort', { method: 'POST' })).status).toBe(200)
      expect((await sandbox.turnEnd(prompt_id)).status).toBe('aborted')
    })

    test.each([
      ['429', 429],
      ['500', 500],
      ['a cut stream', 'cut'],
    ] as const)('%s of the model is tried again, and the answer is told once', async (name, failure) => {
      const text = `after ${name}`
      sandbox.model.on(`fails with ${name}`, [{ text, before: [failure] }])
      expect(await sandbox.turnEnd(await sandbox.prompt(`fails with ${name}`))).toMatchObject({
        status: 'completed',
      })
      expect(words(text)).toHaveLength(1)
    })

    test('what the model refuses for good ends the turn with its words', async () => {
      const { model, platform } = sandbox
      model.on('bad request', [{ status: 400 }])
      const end = await sandbox.turnEnd(await sandbox.prompt('bad request'))
      expect(end).toMatchObject({ status: 'error' })
      expect(end.error).toContain('scripted 400')
      expect(JSON.stringify(platform.events('error').at(-1)?.payload)).toContain('scripted 400')
    })

    testOf('agent files')(
      'the model is the prompt’s, else the agent’s, else the gateway’s first',
      async () => {
        const { model } = sandbox
        const used = async (more: object) => {
          const end = await sandbox.turnEnd(await sandbox.prompt('which model', more))
          expect(end.status).toBe('completed')
          return model.requests.at(-1)?.model
        }
        expect(await used({})).toBe('scripted-model')
        expect(await used({ agent: 'reviewer' })).toBe('vendor/agent-model')
        expect(await used({ agent: 'reviewer', model: 'other-model' })).toBe('other-model')
        expect(await used({ agent: 'nobody' })).toBe('scripted-model')
        const unknown = await sandbox.turnEnd(await sandbox.prompt('and you', { model: 'svc/no-such-model' }))
        expect(unknown).toMatchObject({ status: 'error' })
        expect(unknown.error).toContain('no-such-model')
      },
    )

    testOf('agent files')(
      'the agent’s own file, the instructions, AGENTS.md and its skills reach the model',
      async () => {
        await sandbox.turnEnd(await sandbox.prompt('what do you know'))
        const known = asked()
        expect(known).toContain('You write code in the house style.')
        expect(known).toContain('Never merge, close or approve your own change request')
        expect(known).toContain('The repository asks for short lines.')
        const offered = JSON.stringify(sandbox.model.requests.at(-1))
        expect(offered).toContain('release-notes')
        expect(offered).not.toContain('other-skill')
        await sandbox.turnEnd(await sandbox.prompt('and you', { agent: 'reviewer' }))
        expect(asked()).toContain('You only read.')
        expect(asked()).not.toContain('You write code in the house style.')
      },
    )

    testOf('agent files')('what an agent’s file forbids is not done', async () => {
      const { model, workspace } = sandbox
      const forbidden = join(workspace, 'forbidden.txt')
      model.on('write anyway', [
        { tool: dialect.write(forbidden, 'x') },
        bash(`touch ${forbidden}`),
        { text: 'tried' },
      ])
      const end = await sandbox.turnEnd(await sandbox.prompt('write anyway', { agent: 'reviewer' }))
      expect(end.status).toBe('completed')
      expect(existsSync(forbidden)).toBe(false)
    })

    testOf('asks')('a permission is asked for and given, or refused', async () => {
      const { model, platform, workspace, session_id } = sandbox
      for (const [reply, done] of [
        ['reject', false],
        ['once', true],
      ] as const) {
        model.on(`needs leave ${reply}`, [bash(`touch asked-${reply}.txt`), { text: 'over' }])
        const before = platform.asks.length
        const prompt_id = await sandbox.prompt(`needs leave ${reply}`)
        const ask = await waitFor('the ask', () => platform.asks[before])
        expect(ask).toMatchObject({ path: 'turn-permission', body: { session_id, permission: 'bash' } })
        const { request_id } = ask.body as { request_id: string }
        const act = { kind: 'permission', id: request_id, reply, ...(done ? {} : { message: 'not this' }) }
        expect((await sandbox.call('/svc/runtime/act', { body: act })).status).toBe(200)
        expect((await sandbox.turnEnd(prompt_id)).status).toBe('completed')
        expect(existsSync(join(workspace, `asked-${reply}.txt`))).toBe(done)
      }
      const states = platform.events('permission').map(({ payload }) => payload['state'])
      expect(states).toEqual(['asked', 'rejected', 'asked', 'replied'])
    })

    test('a program that the agent leaves running can be seen: page, event stream and WebSocket', async () => {
      const { model, workspace, address } = sandbox
      model.on('show it', [bash('node preview.mjs > /dev/null 2>&1 &'), { text: 'it runs' }])
      expect((await sandbox.turnEnd(await sandbox.prompt('show it'))).status).toBe('completed')
      const file = join(workspace, 'port.txt')
      const port = await waitFor('the program', () => (existsSync(file) ? readFileSync(file, 'utf8') : ''))
      const headers = { 'x-svc-user-context': sandbox.userContext(), authorization: '' }
      const page = await sandbox.call(`/proxy/${port}/a?b`, { headers })
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
        expect((await sandbox.call(`/proxy/${blocked}/`, { headers })).status).toBe(403)
      }
    })

    testOf('asks')('a question is asked and answered', async () => {
      const { model, platform } = sandbox
      const options = [{ label: 'Blue', description: 'b' }]
      const questions = [{ question: 'Which colour?', header: 'Colour', options }]
      model.on('ask me', [{ tool: { name: 'question', args: { questions } } }, { text: 'thanks' }])
      const prompt_id = await sandbox.prompt('ask me')
      const ask = await waitFor('the question', () =>
        platform.asks.find(({ path }) => path === 'turn-question'),
      )
      const { request_id } = ask.body as { request_id: string }
      const act = { kind: 'question', id: request_id, answers: [['Blue']] }
      expect((await sandbox.call('/svc/runtime/act', { body: act })).status).toBe(200)
      expect((await sandbox.turnEnd(prompt_id)).status).toBe('completed')
      expect(JSON.stringify(model.requests.at(-1)?.messages.at(-1))).toContain('Blue')
    })

    testOf('todo lists')('a todo list is told', async () => {
      const todos = [{ content: 'one', status: 'in_progress', priority: 'high' }]
      sandbox.model.on('plan it', [{ tool: { name: 'todowrite', args: { todos } } }, { text: 'planned' }])
      await sandbox.turnEnd(await sandbox.prompt('plan it'))
      expect(sandbox.platform.events('todo').at(-1)?.payload).toMatchObject({ todos: [{ content: 'one' }] })
    })

    testOf('subagents')(
      'a subagent’s work keeps to its parent, and the turn ends with the parent',
      async () => {
        const { model, platform, workspace } = sandbox
        const task = { description: 'child work', prompt: 'work of the child', subagent_type: 'general' }
        model.on('use a helper', [{ tool: { name: 'task', args: task } }, { text: 'the helper is done' }])
        model.on('work of the child', [bash('touch by-child.txt'), { text: 'child words' }])
        expect((await sandbox.turnEnd(await sandbox.prompt('use a helper'))).status).toBe('completed')
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

    test('a runtime that is killed in mid-turn: the turn is interrupted, its command ends, the next prompt knows all', async () => {
      const { model, platform, workspace } = sandbox
      model.on('sleep one', [bash('echo $$ > one.txt; sleep 600'), { text: 'never' }])
      const prompt_id = await sandbox.prompt('sleep one')
      const queued = await sandbox.prompt('still there?')
      const path = join(workspace, 'one.txt')
      const command = await waitFor('the command', () =>
        existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0,
      )
      const [server = 0] = processesWith(`AGENTRT_CONFIG_DIR=${workspace}`, dialect.word)
      expect(server).toBeGreaterThan(0)
      process.kill(server, 'SIGKILL')
      expect(await sandbox.turnEnd(prompt_id)).toMatchObject({ status: 'interrupted' })
      await waitFor('the end of the command', () => !isRunning(command))
      expect(await sandbox.turnEnd(queued)).toMatchObject({ status: 'completed' })
      expect(asked()).toContain('sleep one')
      expect(asked()).toContain('It is written.')
      expect(platform.problems).toEqual([])
    })

    test('a restart goes on with the same conversation, on the session’s model and agent', async () => {
      const { model, platform } = sandbox
      const before = await sandbox.ready()
      expect(await sandbox.signal('SIGTERM')).toBe(0)
      expect(processesWith(`AGENTRT_CONFIG_DIR=${sandbox.workspace}`)).toEqual([])
      sandbox.start({ SVC_AGENTRT_MODEL: 'other-model', SVC_AGENT_NAME: 'reviewer' })
      const after = await sandbox.ready()
      expect(after.runtime).toMatchObject({ name: dialect.name, session_id: before.runtime.session_id })
      await sandbox.turnEnd(await sandbox.prompt('and now?'))
      expect(asked()).toContain('It is written.')
      if (!lacks('agent files')) expect(asked()).toContain('You only read.')
      expect(model.requests.at(-1)?.model).toBe('other-model')
      const ids = platform.events().map(({ event_id }) => event_id)
      expect(new Set(ids).size).toBe(ids.length)
      expect(words('It is written.')).toHaveLength(1)
      expect(platform.problems).toEqual([])
    })

    test('the last message can be taken back', async () => {
      await sandbox.turnEnd(await sandbox.prompt('forget this one'))
      const { body } = await sandbox.call('/svc/runtime/messages')
      const { messages } = body as { messages: { message_id: string; text: string }[] }
      const message_id = messages.findLast(({ text }) => text === 'forget this one')?.message_id
      const act = { kind: 'revert', message_id }
      expect((await sandbox.call('/svc/runtime/act', { body: act })).status).toBe(200)
      await sandbox.turnEnd(await sandbox.prompt('go on'))
      expect(asked()).not.toContain('forget this one')
    })

    test('what is meant for a server of the runtime’s own gets there, or is answered that there is none', async () => {
      const headers = { 'x-svc-user-context': sandbox.userContext(), authorization: '' }
      const answer = await sandbox.call('/session', { headers })
      if (!lacks('a server')) return expect(answer.status).toBe(200)
      expect(answer).toMatchObject({ status: 501, body: { code: 'runtime_has_no_server' } })
    })

    test('no secret is in the log, and nothing of the runtime is in the repository', () => {
      const log = sandbox.output.join('')
      for (const secret of [sandbox.key, 'git-secret-token', 'svc_gw_for-the-agent', 'project-secret-value'])
        expect(log).not.toContain(secret)
      const env = { ...process.env, HOME: sandbox.home }
      const status = execFileSync('git', ['status', '--porcelain'], {
        cwd: sandbox.workspace,
        encoding: 'utf8',
        env,
      })
      expect(status.split('\n').filter((line) => line !== '' && !line.endsWith('.txt'))).toEqual([])
    })
  })
}
