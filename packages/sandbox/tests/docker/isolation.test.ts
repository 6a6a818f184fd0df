import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { connect, createServer as createNetServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SandboxLimits } from '../../src/index.ts'
import { createStubTools, type StubTools } from '../../src/testing/index.ts'
import { environmentOf, post, runIn, until } from '../../src/testing/sandbox-client.ts'
import { describeWithDocker } from './engine.ts'
import { type OpenedDocker, openDocker } from './open-docker.ts'

describeWithDocker('isolation', (engine) => {
  let stub: StubTools
  let opened: OpenedDocker
  let platform: Server
  let origin: string

  beforeAll(async () => {
    stub = await createStubTools()
    platform = createServer((_request, response) => response.end('the platform answers'))
    await new Promise<void>((resolve) => platform.listen(0, '127.0.0.1', resolve))
    const address = platform.address()
    origin = `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`
  })

  afterAll(async () => {
    platform.close()
    await stub.remove()
  })

  beforeEach(async () => {
    opened = await openDocker(stub, engine, { api_url: `${origin}/v1`, look_every_ms: 200 })
  })

  afterEach(() => opened.dispose())

  const create = async (limits: SandboxLimits = {}, environment: Readonly<Record<string, string>> = {}) => {
    const created = await opened.provider.create({ sandbox_id: randomUUID(), environment, limits })
    return { ...created, run: (command: string) => runIn(created.endpoint, command) }
  }
  const platformAnswers = async () => expect(await (await fetch(origin)).text()).toBe('the platform answers')

  it('has the document’s layout, an ordinary user, no capability and no way to one', async () => {
    const { run } = await create()
    const { output: layout } = await run(
      'pwd; echo $HOME; command -v svc-agent; command -v svc-entrypoint; id -u; id -G; cat /proc/sys/kernel/hostname',
    )
    const tools = '/usr/local/bin/svc-agent\n/usr/local/bin/svc-entrypoint'
    expect(layout).toBe(`/workspace\n/opt/svc/home\n${tools}\n1000\n1000\nsandbox\n`)
    expect((await run('cat /proc/1/cmdline')).output).toContain('svc-entrypoint')
    const { output } = await run('cat /proc/self/status')
    expect(output.match(/Cap\w+:\t0{16}/g)).toHaveLength(5)
    expect(output).toContain('NoNewPrivs:\t1')
    expect(output).toContain('Seccomp:\t2')
    for (const path of ['/usr/x', '/etc/x', '/usr/local/bin/x', '/opt/svc/tools/x', '/run/svc-platform/x'])
      expect((await run(`echo x > ${path}`)).code, path).not.toBe(0)
  })

  it('collects the dead that their parent left behind', async () => {
    const { run } = await create()
    await run('for i in $(seq 20); do (sh -c "true" &) ; done')
    await until(
      'no zombies',
      async () => (await run('grep -l "^State:.Z" /proc/[0-9]*/status 2>/dev/null | wc -l')).output.trim(),
      (zombies) => zombies === '0',
    )
  })

  it('has no network device, and reaches the platform alone', async () => {
    const { run } = await create()
    expect((await run('ls /sys/class/net')).output.trim()).toBe('lo')
    expect((await run(`curl -s --max-time 20 ${origin}/v1`)).output).toBe('the platform answers')
    const { output } = await run('cat /proc/net/route | wc -l')
    expect(Number(output)).toBe(1)
  })

  it.each([
    ['PostgreSQL on this machine', 'http://127.0.0.1:5432'],
    ['Redis on this machine', 'http://127.0.0.1:6379'],
    ['the metadata address', 'http://169.254.169.254/latest/meta-data/'],
    ['a private network', 'http://10.0.0.1/'],
    ['the address of a bridge', 'http://172.17.0.1:5432/'],
    ['the internet', 'http://1.1.1.1/'],
  ])('does not reach %s', async (_name, url) => {
    const { run } = await create()
    expect((await run(`curl -s --max-time 20 ${url}`)).code).not.toBe(0)
    const { host } = new URL(url)
    const asked = host.includes(':') ? host : `${host}:80`
    const ask = `node -e 'const s=require("net").connect("/run/svc-platform/relay");s.on("data",d=>process.stdout.write(d));s.write("to ${asked}\\n")'`
    expect((await run(ask)).output).toBe('no sandboxes reach only the platform\n')
  })

  it('does not reach another port of the machine that the platform is on', async () => {
    const secret = createServer((_request, response) => response.end('internal'))
    await new Promise<void>((resolve) => secret.listen(0, '127.0.0.1', resolve))
    const address = secret.address()
    const port = typeof address === 'object' ? address?.port : 0
    const { run } = await create()
    expect((await run(`curl -s --max-time 20 http://127.0.0.1:${port}/metrics`)).code).not.toBe(0)
    secret.close()
  })

  it('is given to no session whose repository it has no way to', async () => {
    const { external_id } = await create()
    const give = async (SVC_REPO_URL: string) => opened.provider.adopt?.(external_id, { SVC_REPO_URL })
    await expect(give('https://git.example.org/x.git')).rejects.toMatchObject({
      kind: 'internal',
      message: 'This sandbox was made without a way to git.example.org.',
    })
    await give(`${origin}/git/x.git`)
  })

  it('cannot read another’s files or environment, nor end its processes', async () => {
    const one = await create({}, { A_SECRET: 'only of the first' })
    const two = await create()
    await one.run('echo mine > /workspace/file; chmod 666 /workspace/file')
    expect((await two.run('cat /workspace/file')).code).not.toBe(0)
    expect((await two.run('cat /proc/[0-9]*/environ')).output).not.toContain('only of the first')
    expect((await two.run('find / -name state.json 2>/dev/null')).output).not.toContain('state.json')
    // Ends everything it can, its own daemon included, so no process is left to answer.
    await post(two.endpoint, '/run', 'kill -9 -1').catch(() => null)
    await until(
      'the second has ended',
      () => opened.provider.status(two.external_id),
      (status) => status === 'stopped',
    )
    expect((await one.run('echo alive')).output).toBe('alive\n')
    expect((await one.run(`kill -0 ${process.pid}`)).code).not.toBe(0)
  })

  it('is told its environment once, so that what it starts cannot ask again', async () => {
    const { run, endpoint } = await create({}, { A_SECRET: 'told once' })
    await environmentOf(endpoint)
    const ask = `node -e 'const s=require("net").connect("/run/svc-platform/relay");s.on("data",d=>process.stdout.write(d));s.write("boot\\n")'`
    expect((await run(ask)).output).toBe('null\n')
  })

  it('keeps its environment out of what the engine shows', async () => {
    const { external_id } = await create({}, { A_SECRET: 'never shown' })
    const shown = await opened.engine.docker.getContainer(`svc-${external_id}`).inspect()
    expect(JSON.stringify(shown)).not.toContain('never shown')
  })

  describe('what takes too much', () => {
    it('a fork bomb is held, and the platform answers', async () => {
      const bomb = await create({ pids: 64 })
      const other = await create()
      // It goes on when a fork is refused, where a shell would end: it answers long after the verdict.
      const forks =
        'require("child_process").spawn("sleep", ["300"], { stdio: "ignore" }).on("error", () => {})'
      void bomb.run(`node -e 'setInterval(() => ${forks}, 1)'`).catch(() => null)
      const container = opened.engine.docker.getContainer(`svc-${bomb.external_id}`)
      await until(
        'as many processes as it may have',
        async () => (await container.stats({ stream: false })).pids_stats?.current ?? 0,
        (processes) => processes >= 64,
      )
      await platformAnswers()
      expect((await other.run('echo well')).output).toBe('well\n')
      await opened.provider.stop(bomb.external_id)
      expect(await opened.provider.status(bomb.external_id)).toBe('stopped')
    })

    it('a memory hog is ended, and the platform answers', async () => {
      const { run } = await create({ memory_mb: 192 })
      const { code } = await run('head -c 1G /dev/zero | tail > /dev/null')
      expect(code).not.toBe(0)
      await platformAnswers()
    })

    it('a file cannot be larger than the disk', async () => {
      const { run } = await create({ disk_mb: 16 })
      expect((await run('head -c 64M /dev/zero > /workspace/large')).code).not.toBe(0)
      expect(Number((await run('stat -c %s /workspace/large')).output)).toBeLessThanOrEqual(16 * 1024 * 1024)
    })

    it('a full disk ends the sandbox with words, and its files can be cleaned up', async () => {
      const { external_id, endpoint: first } = await create({ disk_mb: 32 })
      await environmentOf(first)
      // Asked once: its answer is lost with the sandbox.
      const fill = 'for i in $(seq 8); do head -c 12M /dev/urandom > /workspace/$i; done'
      void post(first, '/run', fill).catch(() => null)
      await until(
        'stopped',
        () => opened.provider.status(external_id),
        (status) => status === 'stopped',
      )
      await platformAnswers()
      const { exit } = await opened.provider.exitReport(external_id)
      expect(exit).toBe('disk limit of 32 MB exceeded')
      const { endpoint } = await opened.provider.start(external_id)
      expect((await runIn(endpoint, 'rm /workspace/*; ls /workspace')).output).toBe('')
    })
  })

  it('starts from a template’s Dockerfile, built once, and tells the end of a failing build', async () => {
    const template = (dockerfile: string, key = randomUUID()) => ({
      slug: 'tools',
      dockerfile: '.svc/Dockerfile',
      entrypoint: 'echo beside > /workspace/beside',
      build: {
        key,
        dockerfile: 'Dockerfile',
        files: async function* () {
          yield { path: 'Dockerfile', executable: false, content: Buffer.from(dockerfile) }
        },
      },
    })
    const good = template(
      `FROM ${engine.base_image}\nUSER root\nENV FROM_TEMPLATE=yes\nRUN echo built > /built\n`,
    )
    await opened.provider.prepare?.(good)
    const { endpoint } = await opened.provider.create({
      sandbox_id: randomUUID(),
      environment: {},
      template: good,
    })
    expect((await runIn(endpoint, 'cat /built; echo $FROM_TEMPLATE; id -u')).output).toBe(
      'built\nyes\n1000\n',
    )
    await until(
      'its entrypoint ran',
      async () => (await runIn(endpoint, 'cat /workspace/beside')).output,
      (output) => output === 'beside\n',
    )
    const bad = template(`FROM ${engine.base_image}\nRUN echo the reason && exit 3\n`)
    const refused = opened.provider.create({ sandbox_id: randomUUID(), environment: {}, template: bad })
    await expect(refused).rejects.toMatchObject({
      kind: 'image',
      retryable: false,
      message: expect.stringMatching(/template tools could not be built[^]*the reason/),
    })
  })

  it('says that an image cannot be had', async () => {
    const template = { slug: 'missing', image: 'registry.invalid/no/such:image' }
    const refused = opened.provider.create({ sandbox_id: randomUUID(), environment: {}, template })
    await expect(refused).rejects.toMatchObject({
      kind: 'image',
      message: expect.stringContaining('no/such:image'),
    })
  })
})

describeWithDocker('an engine that goes away', (engine) => {
  it('makes the status unknown, never removed', async () => {
    const stub = await createStubTools()
    const folder = await mkdtemp(join(tmpdir(), 'svc-engine-'))
    const path = join(folder, 'engine.sock')
    const connections = new Set<Socket>()
    const relay = createNetServer((socket) => {
      const target = connect(engine.url.replace('unix://', ''))
      for (const one of [socket, target]) {
        connections.add(one)
        one.on('error', () => undefined)
        one.on('close', () => connections.delete(one))
      }
      socket.pipe(target).pipe(socket)
    })
    const appear = () => new Promise<void>((resolve) => relay.listen(path, resolve))
    const disappear = () => {
      const closed = new Promise((resolve) => relay.close(resolve))
      for (const one of connections) one.destroy()
      return closed
    }
    await appear()
    const opened = await openDocker(stub, { ...engine, url: `unix://${path}` })
    const { external_id } = await opened.provider.create({ sandbox_id: randomUUID(), environment: {} })
    await disappear()
    expect(await opened.provider.status(external_id)).toBe('unknown')
    await expect(opened.provider.stop(external_id)).rejects.toMatchObject({
      kind: 'network',
      retryable: true,
    })
    await appear()
    expect(await opened.provider.status(external_id)).toBe('running')
    await opened.dispose()
    await stub.remove()
    await disappear()
    await rm(folder, { recursive: true, force: true })
  })

  it('is refused at the start, by its address', async () => {
    const stub = await createStubTools()
    const missing = openDocker(stub, { ...engine, url: 'unix:///nonexistent/docker.sock' })
    await expect(missing).rejects.toMatchObject({
      kind: 'network',
      message: 'The Docker engine at unix:///nonexistent/docker.sock does not answer.',
    })
    await stub.remove()
  })
})
