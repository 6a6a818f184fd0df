import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { harnessLaunch, harnessVariable, knownHarness } from '@svc/harness'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keepRecord } from '../acp-sandbox.ts'
import { builtDaemon } from '../bundle.ts'
import type { ScriptedCall } from '../dialects.ts'
import { isRunning } from '../processes.ts'
import { runtimeFiles } from '../runtime-files.ts'
import { makeSandbox, type Sandbox } from '../sandbox.ts'
import { models } from '../scripted-model.ts'
import { waitFor } from '../wait-for.ts'
import { startTrap, type Trap } from './hostile-repository.ts'
import { installedHarness, ownFolder } from './installed-harness.ts'
import { type ModelGateway, startModelGateway } from './model-gateway.ts'
import { type NameWatch, unwatched, watchNames } from './name-watch.ts'

/** The differences between harnesses, as far as a script of the model has to know them. */
export interface HarnessHabits {
  readonly name: string
  write(path: string, content: string): ScriptedCall
  /** A command that the program may run without a question where the agent's file allows it. */
  run(command: string): ScriptedCall
  /** A command that the program asks leave for; null where it asks for nothing. */
  readonly ask: ((command: string) => ScriptedCall) | null
  /** The fate of a prompt that names another model: that one is asked, or the prompt is refused. */
  readonly other_model: 'asked' | 'refused'
  /** Whether its call for a file names that file to its client. */
  readonly changes: boolean
}

const held = (): Promise<void> => new Promise(() => undefined)

/**
 * A known harness as npm brings it, behind the daemon as it is shipped and before the platform's own gateway. One sandbox
 * goes through all the tests in their order, since a start costs more than they do.
 */
export async function describeHarness(habits: HarnessHabits, address: string): Promise<void> {
  const found = await installedHarness(habits.name)
  const deaf = unwatched()
  if (deaf !== null) console.warn(`look-ups are not watched: ${deaf}`)

  describe.skipIf(found.missing !== null)(`the harness ${habits.name}`, () => {
    let sandbox: Sandbox
    let gateway: ModelGateway
    let trap: Trap
    let watch: NameWatch | null = null
    const times: Record<string, number> = {}

    beforeAll(async () => {
      if (found.missing !== null) return
      const known = knownHarness(habits.name)
      if (known === undefined) throw new Error('no such harness')
      if (deaf === null) watch = await watchNames(address, await ownFolder())
      const settings = {
        ...{ command: null, dialect: known.dialect, env: {}, model_env: [] },
        ...{ mode: null, options: {}, variant: null },
      }
      const frozen = { harness: known.name, version: found.version, auth: 'gateway' as const, settings }
      sandbox = await makeSandbox({
        bundle: await builtDaemon(),
        runtime_name: 'acp',
        environment: { [harnessVariable]: JSON.stringify(harnessLaunch(frozen, found.folder)) },
        before: watch?.before ?? [],
        address,
      })
      gateway = await startModelGateway(address, {
        base_url: sandbox.model.baseUrl,
        models: models.slice(0, 2),
      })
      trap = await startTrap(address)
      // Its settings would lead each harness elsewhere, were they above those of the platform.
      sandbox.origin.commit('main', { ...runtimeFiles('agentrt'), ...trap.files })
      sandbox.origin.commit(sandbox.session_id, {}, 'main')
      await timed('ready', async () => {
        sandbox.start(started())
        await sandbox.ready()
      })
    })
    afterAll(async () => {
      if (process.env['SVC_TEST_TIMES'] !== undefined) console.log(habits.name, times)
      await sandbox?.close()
      await gateway?.close()
      await trap?.close()
      await watch?.close()
    })

    const started = () => ({ ...gateway.environment, SVC_AGENTRT_MODEL: 'scripted/scripted-model' })
    const end = (prompt_id: string) => sandbox.turnEnd(prompt_id)
    const asked = (): string => JSON.stringify(sandbox.model.requests.at(-1)?.messages)
    const said = (text: string) =>
      sandbox.platform
        .events('message')
        .filter(({ payload }) => payload['role'] === 'assistant' && String(payload['text']).includes(text))

    async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
      const began = performance.now()
      const result = await work()
      times[name] = Math.round(performance.now() - began)
      return result
    }

    test('answers a prompt, asking the gateway alone, with the session’s key alone', async () => {
      sandbox.model.on('say hello', [{ text: 'Hello from the model' }])
      const answered = await timed('turn', async () => end(await sandbox.prompt('say hello please')))
      expect(answered).toMatchObject({ status: 'completed' })
      expect(said('Hello from the model')).toHaveLength(1)
      const again = await timed('second turn', async () => end(await sandbox.prompt('say hello again')))
      expect(again).toMatchObject({ status: 'completed' })
      const values = gateway.requests.flatMap(({ keys }) => Object.values(keys))
      expect(new Set(values.map((value) => value.replace(/^Bearer /, '')))).toEqual(new Set([gateway.key]))
      expect(
        sandbox.model.requests.every(({ authorization }) => authorization === 'Bearer key-of-the-operator'),
      ).toBe(true)
      expect(asked()).toContain('You write code in the house style.')
    })

    test('writes a file with a tool of its own', async () => {
      const path = join(sandbox.workspace, 'made.txt')
      sandbox.model.on('write the file', [
        { tool: habits.write(path, 'by the harness\n') },
        { text: 'It is written.' },
      ])
      expect(await end(await sandbox.prompt('write the file'))).toMatchObject({ status: 'completed' })
      expect(readFileSync(path, 'utf8').trim()).toBe('by the harness')
      expect(said('It is written.')).toHaveLength(1)
      const [last] = sandbox.platform.events('tool').slice(-1)
      expect(last?.payload).toMatchObject({ status: 'completed' })
      if (habits.changes)
        expect(sandbox.platform.events('file').at(-1)?.payload).toEqual({ path: 'made.txt' })
    })

    test('runs a command that the agent’s file allows', async () => {
      sandbox.model.on('run it', [{ tool: habits.run('echo by-a-command > ran.txt') }, { text: 'It ran.' }])
      expect(await end(await sandbox.prompt('run it'))).toMatchObject({ status: 'completed' })
      expect(readFileSync(join(sandbox.workspace, 'ran.txt'), 'utf8')).toBe('by-a-command\n')
    })

    test('pushes with git in a command of its own', async () => {
      const push = habits.run('git commit -q --allow-empty -m "By the harness" && git push -q origin HEAD')
      sandbox.model.on('push it', [{ tool: push }, { text: 'It is pushed.' }])
      expect(await end(await sandbox.prompt('push it'))).toMatchObject({ status: 'completed' })
      expect(sandbox.origin.git('log', '-1', '--format=%s', sandbox.session_id)).toBe('By the harness')
    })

    // A thing that a harness cannot do is no test of it.
    const { ask: asks } = habits
    const testOfAsks = asks === null ? () => undefined : test
    testOfAsks('asks people where the agent’s file says so, and holds to their answer', async () => {
      for (const [reply, done] of [
        ['reject', false],
        ['once', true],
      ] as const) {
        const call = (asks ?? habits.run)(`touch asked-${reply}.txt`)
        sandbox.model.on(`needs leave ${reply}`, [{ tool: call }, { text: 'over' }])
        const before = sandbox.platform.asks.length
        const prompt_id = await sandbox.prompt(`needs leave ${reply}`)
        const ask = await waitFor('the ask', () => sandbox.platform.asks[before])
        expect(ask).toMatchObject({ path: 'turn-permission', body: { permission: 'bash' } })
        const { request_id } = ask.body as { request_id: string }
        const act = { kind: 'permission', id: request_id, reply }
        expect((await sandbox.call('/svc/runtime/act', { body: act })).status).toBe(200)
        expect(['completed', ...(done ? [] : ['aborted'])]).toContain((await end(prompt_id)).status)
        expect(existsSync(join(sandbox.workspace, `asked-${reply}.txt`))).toBe(done)
      }
    })

    test('an abort ends the turn and the command in it', async () => {
      const file = join(sandbox.workspace, 'pid.txt')
      sandbox.model.on('sleep long', [
        { tool: habits.run('echo $$ > pid.txt; sleep 600') },
        { text: 'awake' },
      ])
      const prompt_id = await sandbox.prompt('sleep long')
      const pid = await waitFor('the command', () =>
        existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0,
      )
      await timed('abort', async () => {
        expect((await sandbox.call('/svc/abort', { method: 'POST' })).status).toBe(200)
        expect((await end(prompt_id)).status).toBe('aborted')
      })
      await waitFor('the end of the command', () => !isRunning(pid))
      sandbox.model.on('and after it', [{ text: 'After the abort' }])
      expect((await end(await sandbox.prompt('and after it'))).status).toBe('completed')
      expect(said('After the abort')).toHaveLength(1)
    })

    test('an abort in the middle of an answer ends the turn', async () => {
      sandbox.model.on('speak for ever', [{ text: 'endless words ', hold: held() }])
      const prompt_id = await sandbox.prompt('speak for ever')
      await waitFor('the first words', () =>
        sandbox.platform
          .events('message.delta')
          .some(({ payload }) => String(payload['delta']).includes('endless')),
      )
      expect((await sandbox.call('/svc/abort', { method: 'POST' })).status).toBe(200)
      expect((await end(prompt_id)).status).toBe('aborted')
    })

    test('another model is asked where a prompt names one, or the prompt is refused', async () => {
      const prompt_id = await sandbox.prompt('say hello elsewhere', { model: 'scripted/other-model' })
      const ended = await end(prompt_id)
      if (habits.other_model === 'refused') return expect(ended).toMatchObject({ status: 'error' })
      expect(ended).toMatchObject({ status: 'completed' })
      expect(sandbox.model.requests.at(-1)?.model).toBe('other-model')
    })

    test('knows all after its daemon was killed in a turn', async () => {
      sandbox.model.on('stop here', [{ text: 'words before the end ', hold: held() }])
      const prompt_id = await sandbox.prompt('stop here')
      await waitFor('the first words', () =>
        sandbox.platform
          .events('message.delta')
          .some(({ payload }) => String(payload['delta']).includes('before')),
      )
      await sandbox.signal('SIGKILL')
      // An agent that goes on may ask of both prompts in one message.
      sandbox.model.on('stop here', [{ text: 'on again' }])
      // A harness that cannot resume is given the record of the platform.
      keepRecord(sandbox)
      await timed('ready again', async () => {
        sandbox.start(started())
        await sandbox.ready()
      })
      expect(await end(prompt_id)).toMatchObject({ status: 'interrupted' })
      expect(await end(await sandbox.prompt('and now'))).toMatchObject({ status: 'completed' })
      expect(said('It is written.')).toHaveLength(1)
      expect(asked()).toContain('It is written.')
      expect(asked()).toContain('write the file')
      const begunAnew = sandbox.platform
        .events('runtime')
        .map(({ payload }) => String(payload['message']))
        .filter((message) => message.includes('began a new conversation'))
      const knowsNothing = expect.stringContaining('it knows nothing of an earlier one')
      expect(begunAnew).toEqual(knownHarness(habits.name)?.resume === true ? [] : [knowsNothing])
    })

    test('is told that its budget is used up, and people are, while the model is asked for nothing', async () => {
      await gateway.useUp()
      const before = sandbox.model.requests.length
      const ended = await end(await sandbox.prompt('say hello on credit'))
      const words = [
        String(ended['error']),
        ...said('').map(({ payload }) => String(payload['text'])),
        // One that keeps it to itself has ended without a word, which is said with where to look.
        ...sandbox.platform.events('runtime').map(({ payload }) => String(payload['message'])),
      ]
      expect(words.join('\n')).toMatch(/budget/i)
      expect(sandbox.model.requests.length).toBe(before)
    })

    test('sends nothing to where settings of the repository lead', () => {
      expect(trap.requests).toEqual([])
    })

    test.runIf(deaf === null)('looks up no name, and leaves nothing in the repository', () => {
      expect(watch?.names).toEqual([])
      const status = execFileSync('git', ['status', '--porcelain'], {
        cwd: sandbox.workspace,
        encoding: 'utf8',
        env: { ...process.env, HOME: sandbox.home },
      })
      expect(status.split('\n').filter((line) => line !== '' && !line.endsWith('.txt'))).toEqual([])
      expect(sandbox.platform.problems).toEqual([])
      expect(sandbox.output.join('')).not.toContain(gateway.key)
    })
  })
}
