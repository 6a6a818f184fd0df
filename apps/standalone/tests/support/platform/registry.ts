import { mkdir, writeFile } from 'node:fs/promises'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { waitFor } from '../wait-for.ts'
import { Child } from './child.ts'
import { freePorts } from '../../../../../scripts/free-port.ts'
import { output } from './run.ts'

/** Debian's package of that name. */
const program = 'docker-registry'

export const hasRegistry = spawnSync(program, ['--version']).status === 0

export interface Registry {
  /** The name of an image that is kept in it. */
  imageOf(name: string): string
  /** Builds an image of a folder on an engine, and puts it into the registry under its name. */
  publish(image: string, context: string, docker_host: string): Promise<void>
  stop(): Promise<void>
}

/** A registry of images on this machine's loopback, which engines ask without TLS. */
export async function startRegistry(folder: string): Promise<Registry> {
  const [port = 0] = await freePorts(1)
  await mkdir(folder, { recursive: true })
  const config = join(folder, 'config.yaml')
  const kept = join(folder, 'kept')
  await writeFile(
    config,
    `version: 0.1\nstorage: { filesystem: { rootdirectory: ${kept} } }\nhttp: { addr: '127.0.0.1:${port}' }\n`,
  )
  const child = new Child(program, ['serve', config], {})
  await waitFor('the registry answers', async () => {
    if (child.ended) throw new Error(`The registry ended: ${child.stderr}`)
    return (await fetch(`http://127.0.0.1:${port}/v2/`)).ok
  })
  return {
    imageOf: (name) => `127.0.0.1:${port}/${name}`,
    publish: async (image, context, docker_host) => {
      const env = { DOCKER_HOST: docker_host, DOCKER_BUILDKIT: '0', HOME: folder }
      await output('docker', ['build', '--quiet', '--tag', image, context], { env })
      await output('docker', ['push', '--quiet', image], { env })
    },
    stop: async () => void (await child.end('SIGTERM')),
  }
}
