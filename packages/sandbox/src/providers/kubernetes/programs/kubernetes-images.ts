import type { ProgramImages } from '../../../program.ts'
import { SandboxError } from '../../../sandbox-error.ts'
import type { Registry } from '../registry/registry.ts'

/** The images of programs, in registries: the nodes fetch them, and this platform reads what they are. */
export function kubernetesImages(registry: Registry, build: ProgramImages['build'] | null): ProgramImages {
  return {
    pin: async (reference, signal) => {
      const { name, digest, bytes } = await registry(reference, signal)
      return { name, digest, bytes }
    },
    build:
      build ??
      (async () => {
        throw new SandboxError(
          'image',
          'A Dockerfile needs an engine that builds and a registry; this platform’s provider is kubernetes without SVC_APPS_REGISTRY and SVC_APPS_ENGINE. Name a pushed image as an oci_image, or ask the operator for it.',
        )
      }),
    // The cluster’s nodes make room by themselves, and fetch again.
    keep: async () => undefined,
  }
}
