import type { ProgramImage, ProgramImages } from '../../../program.ts'
import { SandboxError } from '../../../sandbox-error.ts'
import type { DockerHost } from '../docker-host.ts'
import { deploymentLabel } from '../containers/containers.ts'
import { buildImage, pullImage } from '../../../engine/build-image.ts'
import { builtPrefix } from './program-image.ts'
import { archiveOf } from '../../../engine/archive-of.ts'

/** The images of programs, of a Docker engine. */
export function dockerProgramImages(host: DockerHost): ProgramImages {
  const { engine } = host
  const look = (name: string) =>
    engine.find(`Looking for the image ${name}`, () => engine.docker.getImage(name).inspect())
  const kept = async (name: string): Promise<ProgramImage | null> => {
    const found = await look(name)
    if (found === null) return null
    await host.image_uses.note(name)
    return { name, digest: found.Id, bytes: found.Size }
  }
  return {
    pin: async (reference, signal) => {
      signal.throwIfAborted()
      await pullImage(engine, reference, signal)
      const found = await look(reference)
      const pinned = found?.RepoDigests?.find((name) => name.includes('@sha256:'))
      if (found === null || pinned === undefined)
        throw new SandboxError(
          'image',
          `The image ${reference} has no digest by which it could be kept; push it to a registry and name it there.`,
        )
      await host.image_uses.note(pinned)
      return { name: pinned, digest: pinned.slice(pinned.indexOf('@') + 1), bytes: found.Size }
    },
    build: async (build, say, signal) => {
      signal.throwIfAborted()
      // Not to be guessed: a Dockerfile of another project may name any image of this engine.
      const mark = host.externalId(JSON.stringify(['image', build.key, build.arguments])).slice(4)
      const name = `${builtPrefix}${mark}`
      const known = await kept(name)
      if (known !== null) return known
      await buildImage(engine, {
        ...{ tag: name, what: 'The image', dockerfile: build.dockerfile, signal, say },
        context: archiveOf(build.files()),
        labels: { [deploymentLabel]: host.deployment },
        network: host.options.build_network ?? 'none',
        memory_mb: build.limits.memory_mb ?? host.default_limits.memory_mb,
        cpu: build.limits.cpu,
        arguments: build.arguments,
        fresh: true,
      })
      const made = await kept(name)
      if (made === null)
        throw new SandboxError(
          'image',
          `The image ${name} is not there after it was built; look whether the engine removes images.`,
          {
            retryable: true,
          },
        )
      return made
    },
    keep: async (names) => {
      for (const name of names) await host.image_uses.note(name)
    },
  }
}
