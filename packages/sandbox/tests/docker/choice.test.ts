import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { chooseProvider, providerSettings, type ProviderOrder } from '../../src/providers/index.ts'
import { z } from 'zod'
import { createStubTools, type StubTools } from '../../src/testing/index.ts'
import { describeWithDocker } from './engine.ts'
import { bundleBoot } from './open-docker.ts'

describeWithDocker('the choice of a provider', ({ url, base_image }) => {
  let stub: StubTools
  let root: string

  beforeAll(async () => {
    stub = await createStubTools()
    root = await mkdtemp(join(tmpdir(), 'svc-choice-'))
    // Without docker, sandboxes run as users of their own, who have to walk through it.
    await chmod(root, 0o755)
    await bundleBoot(join(root, 'svc-boot.mjs'))
  })

  afterAll(async () => {
    await stub.remove()
    await rm(root, { recursive: true, force: true })
  })

  const choose = (
    name: ProviderOrder,
    changes: Readonly<Record<string, string>> = {},
    api_url = 'http://localhost:1/v1',
  ) =>
    chooseProvider({
      SVC_SANDBOX_PROVIDER: name,
      root: join(root, 'sandboxes'),
      scope: 'choice',
      tools: stub.sources,
      api_url,
      log: () => undefined,
      bubblewrap_program: '/nonexistent/bwrap',
      boot_bundle: join(root, 'svc-boot.mjs'),
      settings: z
        .object(providerSettings)
        .parse({ SVC_DOCKER_HOST: url, SVC_DOCKER_IMAGE: base_image, ...changes }),
    })

  it('auto takes docker where the engine answers and has the image, and says so', async () => {
    const { provider, why } = await choose('auto')
    expect(provider.name).toBe('docker')
    expect(why).toContain(`has the image ${base_image} (SVC_SANDBOX_PROVIDER=auto)`)
    await provider.close({ stop_sandboxes: false })
  })

  it.each([
    ['the image is missing', { SVC_DOCKER_IMAGE: 'no-such-image' }, 'its engine has no image no-such-image'],
    [
      'no engine answers',
      { SVC_DOCKER_HOST: 'unix:///nonexistent.sock' },
      'unix:///nonexistent.sock does not answer',
    ],
  ])('auto passes it over where %s, and says why', async (_name, changes, words) => {
    const { provider, why } = await choose('auto', changes)
    expect(provider.name).toBe('process')
    expect(why).toContain('Docker was passed over')
    expect(why).toContain(words)
    await provider.close({ stop_sandboxes: false })
  })

  it('of several takes the first that can, and says both', async () => {
    const { provider, why } = await choose(['docker', 'process'])
    expect(provider.name).toBe('docker,process')
    expect(why).toMatch(/containers of the Docker engine .* Where that has no room .* are not isolated/)
    const sandbox_id = randomUUID()
    const made = await provider.create({ sandbox_id, environment: {} })
    expect(made).toMatchObject({ provider: 'docker', external_id: expect.stringMatching(/^docker\.sbx_/) })
    expect((await provider.create({ sandbox_id, environment: {} })).external_id).toBe(made.external_id)
    expect(await provider.status(made.external_id)).toBe('running')
    await provider.destroy(made.external_id)
    expect(await provider.list()).toEqual([])
    await provider.close({ stop_sandboxes: false })
  })

  it('of several takes the next while the first does not answer, and each keeps what it made', async () => {
    const way = await openWay(url.replace('unix://', ''), join(root, 'engine.sock'))
    const { provider } = await choose(['docker', 'process'], { SVC_DOCKER_HOST: `unix://${way.path}` })
    const make = () => provider.create({ sandbox_id: randomUUID(), environment: {} })
    const before = await make()
    way.cut()
    const meanwhile = await make()
    expect([before.provider, meanwhile.provider]).toEqual(['docker', 'process'])
    expect(await provider.status(before.external_id)).toBe('unknown')
    expect(await provider.status(meanwhile.external_id)).toBe('running')
    await way.mend()
    expect(await provider.status(before.external_id)).toBe('running')
    const both = [before.external_id, meanwhile.external_id]
    expect((await provider.list()).toSorted()).toEqual(both.toSorted())
    for (const external_id of both) await provider.destroy(external_id)
    expect(await provider.list()).toEqual([])
    await provider.close({ stop_sandboxes: false })
    way.cut()
  })

  it('of several lets none be missing at the start', async () => {
    await expect(
      choose(['process', 'docker'], { SVC_DOCKER_HOST: 'unix:///nonexistent.sock' }),
    ).rejects.toMatchObject({ kind: 'network' })
  })

  it('refuses a runtime that the engine does not have', async () => {
    await expect(choose('docker', { SVC_DOCKER_RUNTIME: 'no-such-runtime' })).rejects.toThrow(
      /no runtime no-such-runtime \(SVC_DOCKER_RUNTIME\); it has .*runc/,
    )
  })

  it('refuses a platform at an address that sandboxes cannot call', async () => {
    await expect(choose('docker', {}, 'http://192.0.2.1/v1')).rejects.toThrow('SVC_PUBLIC_URL')
  })
})

/** The engine at another path, that can be cut off and come back. */
async function openWay(engine: string, path: string) {
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    const onward = connect(engine)
    for (const one of [socket, onward]) {
      open.add(one)
      one.on('error', () => undefined).on('close', () => open.delete(one))
    }
    socket.pipe(onward).pipe(socket)
  })
  const mend = async (): Promise<void> => {
    server.listen(path)
    await once(server, 'listening')
  }
  await mend()
  return {
    path,
    mend,
    cut: () => {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
