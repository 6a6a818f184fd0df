import { harnessStore } from '../../harness/store/places.ts'
import { SandboxError } from '../../sandbox-error.ts'
import { choiceOf, type ProviderModule } from '../provider-module.ts'
import { createDockerProvider } from './create-docker-provider.ts'
import { findBaseImage } from './images/find-base-image.ts'
import { dockerRoot } from './paths.ts'
import { type DockerSettings, dockerSettings } from './settings.ts'

export const dockerModule = {
  names: ['docker'],
  settings: dockerSettings,
  place: 'this machine',
  passedOver: async ({ settings }) => {
    const found = await findBaseImage(settings)
    return found.ready ? null : `Docker was passed over: ${found.why}.`
  },
  open: async ({ name, settings, parts }) => {
    const { root, scope, tools, api_url, log, egress, default_limits, boot_bundle } = parts
    if (boot_bundle === undefined)
      throw new SandboxError(
        'image',
        'This app was built without the bundle that starts a container; build it with npm run setup.',
      )
    const provider = await createDockerProvider({
      root: dockerRoot(root),
      harnesses: harnessStore(root),
      scope,
      tools,
      api_url,
      log,
      egress,
      ...(default_limits === undefined ? {} : { default_limits }),
      engine_url: settings.SVC_DOCKER_HOST,
      base_image: settings.SVC_DOCKER_IMAGE,
      runtime: settings.SVC_DOCKER_RUNTIME,
      build_network: settings.SVC_DOCKER_BUILD_NETWORK,
      image_days: settings.SVC_DOCKER_IMAGE_DAYS,
      boot_bundle,
    })
    return { provider, why: whySentence(name, settings) }
  },
} as const satisfies ProviderModule<DockerSettings>

function whySentence(name: string, { SVC_DOCKER_HOST, SVC_DOCKER_IMAGE }: DockerSettings): string {
  const found = name === 'auto' ? `, which answers and has the image ${SVC_DOCKER_IMAGE}` : ''
  return `Sandboxes are containers of the Docker engine at ${SVC_DOCKER_HOST}${found} (${choiceOf(name)}).`
}
