import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createImageUses, pruneImages } from '../../src/providers/docker/images/prune-images.ts'
import { deploymentLabel } from '../../src/providers/docker/containers/containers.ts'
import { imagesFolder } from '../../src/providers/docker/paths.ts'
import { createStubTools, type StubTools } from '../../src/testing/index.ts'
import { describeWithDocker } from './engine.ts'
import { openDocker, type OpenedDocker } from './open-docker.ts'

describeWithDocker('images that nobody needs', (engine) => {
  let stub: StubTools
  let folder: string
  let opened: OpenedDocker

  beforeAll(async () => {
    stub = await createStubTools()
    folder = await mkdtemp(join(tmpdir(), 'svc-images-'))
    // Tools that no other test has, so that their image is this test's to remove.
    const entrypoint = join(folder, 'svc-entrypoint')
    await writeFile(entrypoint, `#!/bin/sh\n# ${randomUUID()}\n`)
    opened = await openDocker(stub, engine, { tools: { ...stub.sources, entrypoint } })
  })
  afterAll(async () => {
    await opened.dispose()
    await stub.remove()
    await rm(folder, { recursive: true })
  })

  it('go after their days, with what they are made on; one with a container stays', async () => {
    const { provider, root } = opened
    const docker = opened.engine.docker
    const template = () => {
      const key = randomUUID()
      const content = Buffer.from(`FROM ${engine.base_image}\nUSER 0:0\nRUN echo ${key} > /key\n`)
      const files = async function* () {
        yield { path: 'Dockerfile', executable: false, content }
      }
      return { slug: 'old', dockerfile: 'Dockerfile', build: { key, dockerfile: 'Dockerfile', files } }
    }
    const [unused, used] = [template(), template()]
    await provider.prepare?.(unused)
    const created = await provider.create({ sandbox_id: randomUUID(), environment: {}, template: used })
    const { Config, Image } = await docker.getContainer(`svc-${created.external_id}`).inspect()
    const made = await docker.getImage(`svc-template:${unused.build.key}`).inspect()
    const deployment = made.Config.Labels?.[deploymentLabel] ?? ''
    expect(deployment).not.toBe('')
    const parts = {
      engine: opened.engine,
      deployment,
      uses: createImageUses(imagesFolder(`${root}/docker`)),
      days: 14,
      log: () => undefined,
    }
    const later = (days: number) => Date.now() + days * 24 * 3_600_000

    expect(await pruneImages({ ...parts, now: later(13) })).toEqual([])
    expect(await pruneImages({ ...parts, deployment: 'another', now: later(15) })).toEqual([])
    const removed = await pruneImages({ ...parts, now: later(15) })
    expect(removed).toContain(`svc-template:${unused.build.key}`)
    expect(removed).not.toContain(`svc-template:${used.build.key}`)
    expect(removed).not.toContain(Config.Image)
    await expect(docker.getImage(`svc-template:${unused.build.key}`).inspect()).rejects.toMatchObject({
      statusCode: 404,
    })
    expect((await docker.getImage(Image).inspect()).Id).toBe(Image)

    await provider.prepare?.(unused)
    expect((await docker.getImage(`svc-template:${unused.build.key}`).inspect()).RepoTags).toHaveLength(1)
  })
})
