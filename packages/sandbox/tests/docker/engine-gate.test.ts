import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rename, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { containerName } from '../../src/providers/docker/containers/containers.ts'
import { openEngine } from '../../src/engine/engine.ts'
import { type EngineGate, openEngineGate } from '../../src/providers/docker/gate/engine-gate.ts'
import { dockerPaths } from '../../src/providers/docker/paths.ts'
import { harnessStore } from '../../src/providers/index.ts'
import { createStubTools, type StubTools } from '../../src/testing/index.ts'
import { runIn } from '../../src/testing/sandbox-client.ts'
import { describeWithDocker } from './engine.ts'
import { type OpenedDocker, openDocker } from './open-docker.ts'

describeWithDocker('engine gate', (engine) => {
  let stub: StubTools
  let folder: string
  let root: string
  let gate: EngineGate
  let opened: OpenedDocker
  const refused: string[] = []

  beforeAll(async () => {
    stub = await createStubTools()
    folder = await mkdtemp(join(tmpdir(), 'svc-gate-'))
    root = join(folder, 'docker')
    const listen = join(folder, 'engine.sock')
    gate = await openEngineGate({
      ...{ engine_url: engine.url, listen, root, harnesses: harnessStore(folder) },
      ...{ scope: 'here', build_network: 'none' },
      log: (_, message, details) => refused.push(`${message} ${JSON.stringify(details)}`),
    })
    // A provider that knows the gate as its engine.
    const places = { root, harnesses: harnessStore(folder) }
    opened = await openDocker(stub, { ...engine, url: `unix://${listen}` }, { ...places, look_every_ms: 200 })
  })
  afterAll(async () => {
    await opened?.dispose()
    await gate?.close()
    await Promise.all([rm(folder, { recursive: true, force: true }), stub?.remove()])
  })

  it('lets through all that the provider does, and needs the engine', async () => {
    const { provider } = opened
    const template = {
      slug: 'own',
      build: {
        key: randomUUID().slice(0, 8),
        dockerfile: 'Dockerfile',
        files: async function* () {
          const dockerfile = `FROM ${engine.base_image}\nUSER 0\nRUN echo made > /made\n`
          yield { path: 'Dockerfile', executable: false, content: Buffer.from(dockerfile) }
        },
      },
      dockerfile: 'Dockerfile',
    }
    const made = await provider.create({
      ...{ sandbox_id: randomUUID(), environment: {}, template, labels: { session_id: randomUUID() } },
    })
    expect((await runIn(made.endpoint, 'cat /made')).output).toBe('made\n')
    expect(await provider.list()).toContain(made.external_id)
    expect(await provider.status(made.external_id)).toBe('running')
    await provider.stop(made.external_id)
    expect((await provider.exitReport(made.external_id)).exit).toBeNull()
    const again = await provider.start(made.external_id, {})
    expect((await runIn(again.endpoint, 'echo again')).output).toBe('again\n')
    await provider.destroy(made.external_id)
    expect(await provider.status(made.external_id)).toBe('removed')
    expect(refused).toEqual([])
    await gate.check()
  })

  it('refuses, with the engine unasked, what the provider never does', async () => {
    const { provider } = opened
    const { docker } = opened.engine
    const { external_id } = await provider.create({ sandbox_id: randomUUID(), environment: {} })
    const container = docker.getContainer(containerName(external_id))
    const before = await docker.listContainers({ all: true, filters: labelOf(await container.inspect()) })
    for (const attack of [
      () => docker.createContainer({ Image: engine.base_image, HostConfig: { Privileged: true } }),
      () => docker.createContainer({ Image: engine.base_image, HostConfig: { Binds: ['/:/host'] } }),
      () => container.exec({ Cmd: ['id'] }),
      () => docker.listContainers({ all: true }),
      () => docker.createVolume({ Name: 'x' }),
      () => container.update({ Memory: 0 }),
    ])
      await expect(attack()).rejects.toThrow(/engine gate refuses/)
    expect(
      await docker.listContainers({ all: true, filters: labelOf(await container.inspect()) }),
    ).toHaveLength(before.length)
    // A container of the same engine that another deployment has.
    const real = await openEngine(engine.url)
    const foreign = await real.docker.createContainer({
      ...{ name: containerName(`sbx_${'f'.repeat(32)}`), Image: engine.base_image, Cmd: ['sleep', '60'] },
      HostConfig: { NetworkMode: 'none' },
    })
    try {
      const seen = docker.getContainer(containerName(`sbx_${'f'.repeat(32)}`))
      for (const attack of [() => seen.inspect(), () => seen.start(), () => seen.remove({ force: true })])
        await expect(attack()).rejects.toThrow(/another deployment/)
      expect((await foreign.inspect()).State.Status).toBe('created')
    } finally {
      await foreign.remove({ force: true })
    }
  })

  it.each([
    ['its own', (external_id: string) => dockerPaths(root, external_id).shared],
    ['the store of harnesses', () => harnessStore(folder)],
  ] as const)('refuses a start whose folder became a link meanwhile: %s', async (_, place) => {
    const { provider } = opened
    const { external_id } = await provider.create({ sandbox_id: randomUUID(), environment: {} })
    await provider.stop(external_id)
    const path = place(external_id)
    await rename(path, `${path}-kept`)
    await mkdir(join(folder, 'elsewhere'), { recursive: true })
    await symlink(join(folder, 'elsewhere'), path)
    const container = opened.engine.docker.getContainer(containerName(external_id))
    await expect(container.start()).rejects.toThrow(/no plain folder/)
    await rm(path)
    await rename(`${path}-kept`, path)
    await provider.start(external_id)
    expect(await provider.status(external_id)).toBe('running')
  })
})

function labelOf({ Config }: { Config: { Labels: Record<string, string> } }) {
  return { label: [`svc.deployment=${Config.Labels['svc.deployment']}`] }
}
