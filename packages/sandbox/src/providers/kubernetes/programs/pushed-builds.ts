import { createHash } from 'node:crypto'
import type { ProgramImage, ProgramImages } from '../../../program.ts'
import { SandboxError } from '../../../sandbox-error.ts'
import { archiveOf } from '../../../engine/archive-of.ts'
import { buildImage, pushImage } from '../../../engine/build-image.ts'
import { openEngine } from '../../../engine/engine.ts'
import type { Registry } from '../registry/registry.ts'

export interface PushedBuildsParts {
  readonly deployment: string
  /** The engine that builds. */
  readonly apps_engine: string
  readonly apps_registry: URL
  readonly registry: Registry
  /** The `user:password` for the registry; null where it needs none. */
  readonly login: () => Promise<string | null>
  readonly limits: { readonly memory_mb: number }
}

/** Builds Dockerfiles on an engine, and pushes the images to where the nodes of a cluster fetch them. */
export function pushedBuilds(parts: PushedBuildsParts): ProgramImages['build'] {
  const { apps_registry, registry, deployment } = parts
  return async (build, say, signal): Promise<ProgramImage> => {
    const mark = createHash('sha256')
      .update(JSON.stringify([deployment, build.key, build.arguments]))
      .digest('hex')
    const tag = `${apps_registry.host}${apps_registry.pathname.replace(/\/*$/, '')}/svc-app:${mark.slice(0, 40)}`
    const known = await registry(tag, signal).catch((error: unknown) => {
      if (error instanceof SandboxError && error.kind === 'image') return null
      throw error
    })
    if (known !== null) return imageOf(known)
    const engine = await openEngine(parts.apps_engine)
    await buildImage(engine, {
      ...{ tag, what: 'The image', dockerfile: build.dockerfile, signal, say, fresh: true },
      ...{ context: archiveOf(build.files()), labels: {}, network: 'none' },
      memory_mb: build.limits.memory_mb ?? parts.limits.memory_mb,
      cpu: build.limits.cpu,
      arguments: build.arguments,
    })
    await pushImage(engine, tag, await parts.login(), signal)
    // The registry has it from here on; the engine keeps what it builds on.
    await engine.find('Removing an image that was pushed', () => engine.docker.getImage(tag).remove())
    return imageOf(await registry(tag, signal))
  }
}

const imageOf = ({ name, digest, bytes }: ProgramImage): ProgramImage => ({ name, digest, bytes })
