import type { ProgramImage, Programs } from '../program.ts'
import type { SandboxProvider } from '../provider.ts'
import { SandboxError } from '../sandbox-error.ts'
import { openControl } from './open-control.ts'
import { appdVariables, controlKey } from './wire.ts'

/** Sandboxes of programs by a provider that makes nothing else: its root and scope are theirs alone. */
export function openPrograms(provider: SandboxProvider): Programs {
  const { name, runs, images } = provider
  const imagesOf = (what: string) => {
    if (images !== undefined) return images
    throw new SandboxError('image', withoutImages(what, name))
  }
  return {
    name,
    runs,
    identify: (sandbox_id) => provider.identify(sandbox_id),
    create: async ({ sandbox_id, image, limits, token }, signal) => {
      if (image !== null) imagesOf('an image')
      const { external_id } = await provider.create(
        {
          sandbox_id,
          limits,
          workload: 'program',
          environment: { [appdVariables.key]: controlKey(token) },
          template: image === null ? null : { slug: sandbox_id, image },
        },
        signal,
      )
      return { external_id }
    },
    control: async (external_id, token) => {
      const endpoint = await provider.endpoint(external_id)
      return endpoint === null ? null : openControl(endpoint, token)
    },
    front: async (external_id) =>
      provider.front === undefined ? provider.endpoint(external_id) : provider.front(external_id),
    status: (external_id) => provider.status(external_id),
    exitReport: (external_id) => provider.exitReport(external_id),
    destroy: (external_id) => provider.destroy(external_id),
    list: () => provider.list(),
    pin: async (reference, signal): Promise<ProgramImage> => imagesOf('an image').pin(reference, signal),
    build: async (build, say, signal): Promise<ProgramImage> =>
      imagesOf('a Dockerfile').build(build, say, signal),
    keep: async (names) => images?.keep(names),
    close: () => provider.close({ stop_sandboxes: false }),
  }
}

function withoutImages(what: string, provider: string): string {
  return `${what} needs docker or kubernetes; this platform's provider is ${provider}. Use a bundle, or ask the operator for SVC_SANDBOX_PROVIDER=docker.`
}
