import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sendSignal } from '../../src/providers/process/processes/process-table.ts'
import { forbidden, judged, missing } from '../../src/providers/process/seccomp/denied-calls.ts'
import { processorOf } from '../../src/providers/process/seccomp/filter.ts'
import { createStubTools, type StubTools } from '../../src/testing/index.ts'
import { environmentOf, post, runIn, until } from '../../src/testing/sandbox-client.ts'
import { describeWithBubblewrap } from './describe-with-bubblewrap.ts'
import { type Opened, openProvider } from '../process/open-provider.ts'
import { readRun } from '../process/sandbox-run.ts'

const spec = (environment: Readonly<Record<string, string>> = {}) => ({
  sandbox_id: randomUUID(),
  environment,
})

await describeWithBubblewrap('isolation', () => {
  describe('a sandbox in a bubblewrap', () => {
    let stub: StubTools
    let opened: Opened

    beforeAll(async () => {
      stub = await createStubTools()
    })

    afterAll(() => stub.remove())

    beforeEach(async () => {
      opened = await openProvider(stub, 'bubblewrap')
    })

    afterEach(() => opened.dispose())

    const create = async (environment: Readonly<Record<string, string>> = {}) => {
      const created = await opened.provider.create(spec(environment))
      return { ...created, run: (command: string) => runIn(created.endpoint, command) }
    }

    it('has the document’s layout', async () => {
      const { run, endpoint } = await create()
      const { output } = await run(
        'pwd; echo $HOME $SVC_WORKSPACE; command -v svc-agent; command -v svc-entrypoint; id -un; hostname',
      )
      expect(output).toBe(
        '/workspace\n/opt/svc/home /workspace\n/usr/local/bin/svc-agent\n/usr/local/bin/svc-entrypoint\nsvc\nsandbox\n',
      )
      expect(await environmentOf(endpoint)).toMatchObject({
        SVC_SERVICE_PORT: '8000',
        SVC_RUNTIME_PORT: '4096',
      })
    })

    it('sees nothing of the host but programs', async () => {
      const { run } = await create()
      const { output } = await run('ls -A / /opt /var /run; ls -A /workspace /tmp')
      const names = new Set(output.split(/\s+/))
      for (const hidden of ['root', 'home', 'work', 'srv', 'mnt', 'media', 'boot', 'sys'])
        expect(names).not.toContain(hidden)
      expect((await run(`ls -A ${opened.root}`)).code).not.toBe(0)
      expect((await run(`cat /proc/1/root${opened.root}/*/state.json`)).code).not.toBe(0)
      expect((await run('cat /etc/shadow')).code).not.toBe(0)
      expect((await run('cat /etc/passwd')).output.trim().split('\n')).toHaveLength(3)
    })

    it('has the platform’s tools in the place of the host’s /usr/local', async () => {
      const { run } = await create()
      expect((await run('ls /usr/local')).output.trim().split('\n').toSorted()).toEqual(['bin', 'lib'])
    })

    it.each(['/x', '/usr/x', '/usr/local/bin/x', '/etc/x', '/opt/x', '/etc/hosts'])(
      'cannot write %s',
      async (path) => {
        const { run } = await create()
        expect((await run(`echo x >> ${path}`)).code).not.toBe(0)
      },
    )

    it('holds no capability, is not root, and can become nothing else', async () => {
      const { run } = await create()
      const { output } = await run(
        'grep Cap /proc/self/status; id -u; id -G; grep NoNewPrivs /proc/self/status',
      )
      expect(output.match(/Cap\w+:\t0{16}/g)).toHaveLength(5)
      expect(output).toContain('\n1000\n1000\n')
      expect(output).toContain('NoNewPrivs:\t1')
      expect((await run('unshare -Ur true')).code).not.toBe(0)
    })

    it('runs under a filter that refuses what reaches deep into the kernel', async () => {
      const { run } = await create()
      expect((await run('grep Seccomp: /proc/self/status /proc/1/status')).output).toMatch(
        /^\S+\s+2\n\S+\s+2\n$/,
      )
      const processor = processorOf(process.arch)
      if (processor === null) throw new Error(`There is no filter for ${process.arch}`)
      const numberOf = (name: string) => (forbidden[name] ?? missing[name])?.[processor] ?? 0
      const ask = async (number: number, ...args: number[]) => {
        const perl = `$! = 0; my $answer = syscall(${[number, ...args].join(', ')}); print $answer < 0 ? $! + 0 : "passed"`
        return (await run(`perl -e '${perl}'`)).output
      }
      for (const name of [
        'keyctl',
        'bpf',
        'io_uring_setup',
        'perf_event_open',
        'userfaultfd',
        'mount',
        'setns',
      ])
        expect(await ask(numberOf(name), 0, 0, 0, 0, 0), name).toBe('1')
      for (const name of ['clone3', 'open_tree']) expect(await ask(numberOf(name), 0, 0, 0), name).toBe('38')
      expect(await ask(judged.unshare[processor], 0x10000000)).toBe('1')
      expect(await ask(judged.personality[processor], 0x0400000)).toBe('1')
      expect(await ask(judged.ioctl[processor], 0, 0x5412, 0)).toBe('1')
      expect(await ask(judged.socket[processor], 40, 1, 0)).toBe('97')
      expect(await ask(judged.personality[processor], 0xffffffff)).toBe('passed')
    })

    it('has programs that trace one another, and threads', async () => {
      const { run } = await create()
      const traced =
        'my $pid = fork // die; if (!$pid) { sleep 600 } print syscall(PTRACE, 16, $pid, 0, 0); kill 9, $pid'
      const ptrace = process.arch === 'x64' ? 101 : 117
      expect((await run(`perl -e '${traced.replace('PTRACE', String(ptrace))}'`)).output).toBe('0')
      const worker = 'new (require("worker_threads").Worker)("console.log(1)", { eval: true })'
      expect((await run(`node -e '${worker}'`)).output).toBe('1\n')
    })

    it('sees only its own processes', async () => {
      const { run } = await create()
      const { output } = await run('for p in /proc/[0-9]*; do tr "\\0" " " < $p/cmdline; echo; done')
      expect(output).not.toContain('vitest')
      expect((await run(`kill -0 ${process.pid}`)).code).not.toBe(0)
    })

    it('hands the daemon no open files of the platform', async () => {
      const { run } = await create()
      const { output } = await run('ls -l /proc/2/fd')
      expect(output).not.toMatch(/state\.json|status|\.locks/)
    })

    it('keeps the environment out of the process that runs outside', async () => {
      const { external_id } = await create({ A_SECRET: 'very-secret', LD_PRELOAD: '/workspace/evil.so' })
      const { outer } = await readRun(opened.root, external_id)
      const text = await readFile(`/proc/${outer}/environ`, 'utf8')
      expect(text).toContain('SVC_SANDBOX_ID=')
      expect(text).not.toMatch(/very-secret|LD_PRELOAD/)
    })

    it('takes a killed first process for the end of the sandbox', async () => {
      const { external_id, endpoint } = await create()
      await environmentOf(endpoint)
      const { inner } = await readRun(opened.root, external_id)
      expect(inner).not.toBeNull()
      sendSignal(inner ?? 0, 'SIGKILL')
      await until(
        'stopped',
        () => opened.provider.status(external_id),
        (status) => status === 'stopped',
      )
      expect((await opened.provider.exitReport(external_id)).exit).toBe('killed by SIGKILL')
    })

    it('still ends as a whole when its outer process is gone', async () => {
      const { external_id, endpoint } = await create()
      await environmentOf(endpoint)
      const { outer } = await readRun(opened.root, external_id)
      sendSignal(outer, 'SIGKILL')
      expect((await runIn(endpoint, 'echo alive')).output).toBe('alive\n')
      expect(await opened.provider.status(external_id)).toBe('running')
      await opened.provider.stop(external_id)
      expect(await opened.provider.status(external_id)).toBe('stopped')
      await expect(post(endpoint, '/env', '')).rejects.toThrow()
    })
  })
})
