import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPrograms } from '../../src/providers/index.ts'
import type { BuildFile, Program, Programs } from '../../src/index.ts'
import { containerName } from '../../src/providers/docker/containers/containers.ts'
import { dockerPaths } from '../../src/providers/docker/paths.ts'
import { describePrograms, type StubTools } from '../../src/testing/index.ts'
import { createAppdTools } from '../programs/appd-tools.ts'
import { commandLines } from '../programs/command-lines.ts'
import {
  aProgram,
  forever,
  openSandbox,
  runScript,
  textOf,
  linesOf,
  untilPhase,
} from '../../src/testing/programs/fixture.ts'
import { connectFront } from '../../src/front/index.ts'
import { smallApp } from '../../src/testing/programs/small-app.ts'
import { frontOf, page } from '../../src/testing/programs/visit.ts'
import { describeWithDocker } from './engine.ts'
import { killDockerDaemon, type OpenedDocker, openDocker } from './open-docker.ts'

const file = (path: string, content: string | Uint8Array, executable = false): BuildFile => ({
  ...{ path, executable },
  content: Buffer.from(content),
})

describeWithDocker('programs', (engine) => {
  let tools: StubTools
  beforeAll(async () => {
    tools = await createAppdTools()
  })
  afterAll(() => tools.remove())

  describePrograms('containers', async () => {
    const opened = await openDocker(tools, engine)
    return {
      programs: openPrograms(opened.provider),
      real: {
        another: async () => openPrograms(await opened.open('here')),
        crash: (external_id: string) => killDockerDaemon(opened, external_id),
        shared: false,
        seen: async (external_id: string) => {
          const container = opened.engine.docker.getContainer(containerName(external_id))
          const { state } = dockerPaths(join(opened.root, 'docker'), external_id)
          return [
            JSON.stringify(await container.inspect()),
            await readFile(state, 'utf8'),
            await commandLines(),
          ].join('\n')
        },
      },
      dispose: opened.dispose,
    }
  })

  /** Programs that nothing but the kernel runs: no libc, no shell, no Node. */
  const busybox = process.env['SVC_TEST_BUSYBOX'] ?? '/bin/busybox'
  let opened: OpenedDocker
  let programs: Programs
  beforeAll(async () => {
    opened = await openDocker(tools, engine)
    programs = openPrograms(opened.provider)
  })
  afterAll(() => opened?.dispose())

  const build = async (dockerfile: string, more: readonly BuildFile[] = [], said: string[] = []) =>
    programs.build(
      {
        key: randomUUID(),
        dockerfile: 'Dockerfile',
        files: async function* () {
          yield* [file('Dockerfile', dockerfile), ...more]
        },
        limits: { cpu: 1, memory_mb: 512 },
        arguments: { GREETING: 'hello from scratch' },
      },
      (line) => said.push(line),
      forever,
    )
  const own: Partial<Program> = { command: null, folder: null }

  it('run an image of nothing, with its own command, folder, user and variables', async () => {
    const said: string[] = []
    const image = await build(
      [
        'FROM scratch',
        'ARG GREETING',
        'ENV GREETING=$GREETING NODE_OPTIONS=--no-such-flag LD_PRELOAD=/none.so',
        'COPY busybox /bin/busybox',
        'COPY index.html /www/index.html',
        'WORKDIR /www',
        'USER 1234:1234',
        'ENTRYPOINT ["/bin/busybox"]',
        'CMD ["httpd", "-f", "-p", "80"]',
        '',
      ].join('\n'),
      [file('busybox', await readFile(busybox), true), file('index.html', 'served from scratch')],
      said,
    )
    expect(said.join('\n')).toContain('FROM scratch')
    expect(image.bytes).toBeGreaterThan(0)
    const { external_id, control } = await openSandbox(programs, image.name)
    await control.start(aProgram({ ...own, port: 80 }), forever)
    await untilPhase(control, 'ready')
    const front = await frontOf(programs, external_id)
    expect(await page(front, '/')).toBe('served from scratch')
    await front.close()
    await programs.destroy(external_id)

    const second = await openSandbox(programs, image.name)
    await second.control.start(
      aProgram({ command: ['/bin/busybox', 'sh', '-c', 'id -u; pwd; env'], folder: null, kind: 'once' }),
      forever,
    )
    await untilPhase(second.control, 'ended')
    const lines = textOf(await linesOf(second.control)).split('\n')
    expect(lines.slice(0, 2)).toEqual(['1234', '/www'])
    expect(lines).toContain('GREETING=hello from scratch')
    expect(lines).toContain('NODE_OPTIONS=--no-such-flag')
    expect(lines.filter((line) => line.startsWith('SVC_') && !line.startsWith('SVC_SANDBOX_ID='))).toEqual([])
    await programs.destroy(second.external_id)
  })

  it('run an image whose user is root as an ordinary user without rights', async () => {
    const image = await build(
      `FROM ${engine.base_image}\nUSER root\nENTRYPOINT []\nCMD ["/bin/sh", "-c", "id -u; grep CapEff /proc/self/status; touch /root/x || echo refused"]\n`,
    )
    const { external_id, control } = await openSandbox(programs, image.name)
    await control.start(aProgram({ ...own, kind: 'once' }), forever)
    await untilPhase(control, 'ended')
    const text = textOf(await linesOf(control))
    expect(text).toContain('1000\n')
    expect(text).toContain('CapEff:\t0000000000000000')
    expect(text).toContain('refused')
    await programs.destroy(external_id)
  })

  it('serve visitors while no worker is there, and a proxy that comes meanwhile', async () => {
    const { provider, open, dispose } = await openDocker(tools, engine)
    const { external_id, control } = await runScript(openPrograms(provider), smallApp)
    await untilPhase(control, 'ready')
    const front = await frontOf(openPrograms(provider), external_id)
    expect(await page(front, '/')).toBe('hello')
    const endpoint = await provider.front?.(external_id)
    await provider.close({ stop_sandboxes: false })
    expect(await page(front, '/')).toBe('hello')
    const late = connectFront(endpoint ?? { url: '' })
    expect(await page(late, '/')).toBe('hello')
    await Promise.all([front.close(), late.close()])
    const next = await open('here')
    await next.destroy(external_id)
    await next.close({ stop_sandboxes: false })
    await dispose()
  })

  it('are reached also where this process lets others see nothing that it makes', async () => {
    const before = process.umask(0o077)
    const { external_id, control } = await runScript(programs, smallApp).finally(() => process.umask(before))
    await untilPhase(control, 'ready')
    const front = await frontOf(programs, external_id)
    expect(await page(front, '/')).toBe('hello')
    await front.close()
    await programs.destroy(external_id)
  })

  it('are not built of a context that cannot be read to its end', async () => {
    const building = programs.build(
      {
        ...{ key: randomUUID(), dockerfile: 'Dockerfile', limits: {}, arguments: {} },
        files: async function* () {
          yield file('Dockerfile', `FROM ${engine.base_image}\n`)
          yield file('large', Buffer.alloc(4 * 1024 * 1024))
          throw new Error('no such blob')
        },
      },
      () => undefined,
      forever,
    )
    await expect(building).rejects.toThrow('no such blob')
  })

  it('say which step of a build failed, with its words', async () => {
    const said: string[] = []
    const built = build(`FROM ${engine.base_image}\nRUN echo the last words; exit 9\n`, [], said)
    await expect(built).rejects.toMatchObject({
      kind: 'image',
      message: expect.stringContaining('the last words'),
    })
    expect(said.join('\n')).toContain('the last words')
  })
})
