import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Dialect } from './dialects.ts'
import { isRunning } from './processes.ts'
import { makeSandbox, type Sandbox } from './sandbox.ts'
import { waitFor } from './wait-for.ts'

/** A runtime that was started before its session, tried on the real one. */
export function describeStandby(dialect: Dialect, other: Dialect['name'] | null, address: string): void {
  describe.skipIf(dialect.missing !== null)(`the runtime ${dialect.name}, started before its session`, () => {
    let programs: Parameters<typeof makeSandbox>[0]
    let sandbox: Sandbox

    beforeAll(async () => {
      programs = { ...(await dialect.make()), address }
    })
    afterEach(() => sandbox.close())

    const [waits, isPrewarmed] = ['a standby runtime is ready', 'a standby runtime is prewarmed']

    async function begin(runtime: string, said: string) {
      sandbox = await makeSandbox(programs)
      const manifest = `svc_version: 2\ndefault_agent: coder\nruntime: ${dialect.name}\nagents:\n  coder: {}\n`
      const agent = '---\ndescription: writes code\nmode: primary\n---\nYou write code.\n'
      sandbox.origin.commit('main', {
        'svc.yaml': manifest,
        '.svc/agentrt/agents/coder.md': agent,
        '.svc/agentrt/AGENTS.md': 'The folder of settings has a rule.\n',
        'AGENTS.md': 'The repository has a rule.\n',
      })
      sandbox.origin.commit(sandbox.session_id, {}, 'main')
      return sandbox.startWarm(runtime, said)
    }
    const pids = (said: string) => {
      const line = new RegExp(`"${said}","pid":(\\d+)`)
      return sandbox.output
        .join('')
        .split('\n')
        .flatMap((text) => line.exec(text)?.[1] ?? [])
        .map(Number)
    }
    async function ask(command: string) {
      sandbox.model.on('look around', [
        { tool: { name: 'bash', args: { command, description: 'runs it' } } },
        { text: 'Seen.' },
      ])
      const end = await sandbox.turnEnd(await sandbox.prompt('look around'))
      expect(end).toMatchObject({ status: 'completed' })
      return JSON.stringify(sandbox.model.requests.at(-1)?.messages)
    }

    test.each([
      ['is prewarmed', isPrewarmed],
      ['is in the midst of its prewarming', waits],
    ])('one that %s works for the session, with its secrets and nothing of the pool', async (_when, said) => {
      const { claim } = await begin(dialect.name, said)
      expect(sandbox.model.requests).toEqual([])
      expect(readdirSync(sandbox.workspace)).toEqual([])
      expect(await claim({ SVC_RUNTIME: dialect.name })).toBe(200)
      await sandbox.ready()
      const answer = await ask(
        'echo "secret is ${PROJECT_SECRET#project-}"; env | grep -cE "^(SVC_WARM|SVC_PI_|BUN_INSPECT|SVC_SANDBOX_TOKEN)"; env | grep -ci prewarm; pwd; git status --porcelain',
      )
      expect(answer).toContain('secret is secret-value')
      // The tool's result ends with the folder, without a change in it.
      expect(answer).toMatch(new RegExp(String.raw`value\\+n0\\+n0\\+n${sandbox.workspace}\\+n"`))
      // On a machine that is too slow the one in its midst makes way for another.
      if (said === isPrewarmed) expect(pids('the agent runtime is ready')).toEqual(pids(waits))
      expect(sandbox.platform.problems).toEqual([])
      await leavesNoTrace()
    })

    /** Expects nothing but the session: no other conversation, question to the model, listener, file or agent. */
    async function leavesNoTrace() {
      const headers = { 'x-svc-user-context': sandbox.userContext() }
      const read = async (path: string) => (await sandbox.call(path, { headers })).body
      const { runtime } = await sandbox.ready()
      expect(await read('/session')).toMatchObject([{ id: runtime.session_id, directory: sandbox.workspace }])
      expect(JSON.stringify(await read('/agent'))).not.toContain('prewarm')
      if (dialect.name === 'agentrt') {
        const config = await read('/config')
        expect(config).toMatchObject({ model: 'svc/scripted-model', snapshot: false })
        expect(JSON.stringify(config)).not.toContain('prewarm')
      }
      const asked = sandbox.model.requests.map(({ messages }) => JSON.stringify(messages))
      expect(asked).toHaveLength(2)
      for (const messages of asked) {
        expect(messages).toMatch(/You write code\.(?!.*Are you ready)/)
        expect(messages).toContain('The repository has a rule.')
        if (dialect.name === 'agentrt') expect(messages).toContain('The folder of settings has a rule.')
      }
      const folder = dirname(sandbox.workspace)
      const left = readdirSync(folder, { recursive: true }).map(String)
      expect(left.filter((path) => path.includes('prewarm'))).toEqual([])
      expect(left.filter((path) => path.startsWith('home/.svc/pi/sessions/')).length).toBe(
        dialect.name === 'pi' ? 1 : 0,
      )
    }

    // The other one is what most sandboxes of a pool have; it is a process of another program.
    if (other !== null)
      test('another one than the session needs ends, and the right one starts', async () => {
        const { claim } = await begin(other, waits)
        const [waited] = pids(waits)
        expect(await claim({ SVC_RUNTIME: dialect.name })).toBe(200)
        await sandbox.ready()
        expect(pids('the agent runtime is ready')).not.toContain(waited)
        expect(isRunning(waited ?? 0)).toBe(false)
      })

    test('one whose sandbox ends ends with it', async () => {
      await begin(dialect.name, waits)
      const [waited] = pids(waits)
      await sandbox.signal('SIGKILL')
      await waitFor('the end of the runtime', async () => !isRunning(waited ?? 0))
    })
  })
}
