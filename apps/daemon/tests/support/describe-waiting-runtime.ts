import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Dialect } from './dialects.ts'
import { isRunning } from './processes.ts'
import { makeSandbox, type Sandbox } from './sandbox.ts'
import { waitFor } from './wait-for.ts'

/** A runtime that was started before its session, tried on the real one. */
export function describeWaitingRuntime(
  dialect: Dialect,
  other: Dialect['name'] | null,
  address: string,
): void {
  describe.skipIf(dialect.missing !== null)(`the runtime ${dialect.name}, started before its session`, () => {
    let programs: Parameters<typeof makeSandbox>[0]
    let remove: () => void = () => undefined
    let sandbox: Sandbox

    beforeAll(async () => {
      const made = await dialect.make()
      programs = { ...made.programs, address }
      remove = made.remove
      return () => remove()
    })
    afterEach(() => sandbox.close())

    async function begin(runtime: string) {
      sandbox = await makeSandbox(programs)
      const manifest = `svc_version: 2\ndefault_agent: coder\nruntime: ${dialect.name}\nagents:\n  coder: {}\n`
      const agent = '---\ndescription: writes code\nmode: primary\n---\nYou write code.\n'
      sandbox.origin.commit('main', { 'svc.yaml': manifest, '.svc/agentrt/agents/coder.md': agent })
      sandbox.origin.commit(sandbox.session_id, {}, 'main')
      return sandbox.startWarm(runtime)
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

    test('the same process works for the session, with its secrets and nothing of the pool', async () => {
      const { claim } = await begin(dialect.name)
      expect(sandbox.model.requests).toEqual([])
      expect(await claim({ SVC_RUNTIME: dialect.name })).toBe(200)
      await sandbox.ready()
      const answer = await ask(
        'echo "secret is ${PROJECT_SECRET#project-}"; env | grep -cE "^(SVC_WARM|SVC_PI_|BUN_INSPECT|SVC_SANDBOX_TOKEN)"; pwd',
      )
      expect(answer).toContain('secret is secret-value')
      expect(answer).toMatch(/value\\+n0\\+n/)
      expect(answer).toContain(sandbox.workspace)
      expect(pids('the agent runtime is ready')).toEqual(pids('an agent runtime waits'))
      expect(sandbox.platform.problems).toEqual([])
    })

    // The other one is what most sandboxes of a pool have; it is a process of another program.
    if (other !== null)
      test('another one than the session needs ends, and the right one starts', async () => {
        const { claim } = await begin(other)
        const [waited] = pids('an agent runtime waits')
        expect(await claim({ SVC_RUNTIME: dialect.name })).toBe(200)
        await sandbox.ready()
        expect(pids('the agent runtime is ready')).not.toContain(waited)
        expect(isRunning(waited ?? 0)).toBe(false)
      })

    test('one whose sandbox ends ends with it', async () => {
      await begin(dialect.name)
      const [waited] = pids('an agent runtime waits')
      await sandbox.signal('SIGKILL')
      await waitFor('the end of the runtime', async () => !isRunning(waited ?? 0))
    })
  })
}
