import { join } from 'node:path'
import { createDockerProvider } from './providers/docker/create-docker-provider.ts'
import { findBaseImage } from './providers/docker/images/find-base-image.ts'
import type { DockerSettings } from './providers/docker/settings.ts'
import type { KubernetesSettings } from './providers/kubernetes/settings.ts'
import { createProcessProvider } from './providers/process/create-process-provider.ts'
import type { ProcessProviderOptions } from './providers/process/host.ts'
import { createFailOverProvider } from './fail-over/create-fail-over-provider.ts'
import type { SandboxProvider } from './provider.ts'
import { platformOnly } from './network/egress.ts'
import type { ProviderName, ProviderOrder } from './provider-order.ts'

export interface ProviderChoice extends Omit<ProcessProviderOptions, 'isolation'> {
  /**
   * auto: the best isolation this machine has; process: none; the others: that or no start at all. Of several, each has
   * to start, and the next makes a sandbox when those before it have no room or do not answer.
   */
  readonly SVC_SANDBOX_PROVIDER: ProviderOrder
  /** Without it there is no docker provider to choose. */
  readonly docker?: DockerSettings & { readonly boot_bundle: string }
  /** Without it there is no Kubernetes provider to choose. */
  readonly kubernetes?: KubernetesSettings
}

export interface ChosenProvider {
  readonly provider: SandboxProvider
  /** One sentence for the person who started the platform. */
  readonly why: string
}

export async function chooseProvider(choice: ProviderChoice): Promise<ChosenProvider> {
  const { SVC_SANDBOX_PROVIDER: order } = choice
  return typeof order === 'string'
    ? chooseOne({ ...choice, SVC_SANDBOX_PROVIDER: order })
    : chooseSeveral(choice, order)
}

async function chooseSeveral(
  choice: ProviderChoice,
  [first, second, ...more]: Exclude<ProviderOrder, ProviderName>,
): Promise<ChosenProvider> {
  const opened: ChosenProvider[] = []
  const openNext = async (name: ProviderName): Promise<SandboxProvider> => {
    const chosen = await chooseOne({ ...choice, SVC_SANDBOX_PROVIDER: name })
    opened.push(chosen)
    return chosen.provider
  }
  try {
    const pair = [await openNext(first), await openNext(second)] as const
    const others: SandboxProvider[] = []
    for (const name of more) others.push(await openNext(name))
    const provider = createFailOverProvider([...pair, ...others], choice.log)
    return {
      provider,
      why: opened.map(({ why }) => why).join(' Where that has no room or does not answer: '),
    }
  } catch (error) {
    await Promise.allSettled(opened.map(({ provider }) => provider.close({ stop_sandboxes: false })))
    throw error
  }
}

async function chooseOne(
  choice: ProviderChoice & { readonly SVC_SANDBOX_PROVIDER: ProviderName },
): Promise<ChosenProvider> {
  const { SVC_SANDBOX_PROVIDER: name, docker, kubernetes, ...options } = choice
  const asked = `SVC_SANDBOX_PROVIDER=${name}`
  if (name === 'docker') {
    if (docker === undefined) throw new Error('This app has no settings of the docker provider')
    const provider = await openDocker(options, docker)
    return {
      provider,
      why: `Sandboxes are containers of the Docker engine at ${docker.SVC_DOCKER_HOST} (${asked}).`,
    }
  }
  if (name === 'kubernetes') {
    if (kubernetes === undefined) throw new Error('This app has no settings of the Kubernetes provider')
    const { scope: deployment, api_url, log, egress = platformOnly } = options
    // Its client is large: only those who ask for it load it.
    const { createKubernetesProvider } = await import('./providers/kubernetes/create-kubernetes-provider.ts')
    const provider = await createKubernetesProvider({ ...kubernetes, deployment, egress, api_url, log })
    return { provider, why: `Sandboxes are pods of a Kubernetes cluster (${asked}).` }
  }
  if (name === 'auto' && docker !== undefined) {
    const found = await findBaseImage(docker)
    if (found.ready) {
      const why = `Sandboxes are containers of the Docker engine at ${docker.SVC_DOCKER_HOST}, which answers and has the image ${docker.SVC_DOCKER_IMAGE} (${asked}).`
      return { provider: await openDocker(options, docker), why }
    }
    const chosen = await openProcess(name, options)
    return { ...chosen, why: `${chosen.why} Docker was passed over: ${found.why}.` }
  }
  return openProcess(name, options)
}

type Options = Omit<ProviderChoice, 'SVC_SANDBOX_PROVIDER' | 'docker' | 'kubernetes'>

async function openProcess(
  name: 'auto' | 'process' | 'bubblewrap',
  options: Options,
): Promise<ChosenProvider> {
  const isolation = name === 'process' ? 'none' : name
  const provider = await createProcessProvider({ ...options, isolation })
  return { provider, why: whySentence(name, provider) }
}

function openDocker(
  options: Options,
  docker: NonNullable<ProviderChoice['docker']>,
): Promise<SandboxProvider> {
  const { root, scope, tools, api_url, log, egress, default_limits } = options
  return createDockerProvider({
    root: join(root, 'docker'),
    scope,
    tools,
    api_url,
    log,
    egress,
    ...(default_limits === undefined ? {} : { default_limits }),
    engine_url: docker.SVC_DOCKER_HOST,
    base_image: docker.SVC_DOCKER_IMAGE,
    runtime: docker.SVC_DOCKER_RUNTIME,
    build_network: docker.SVC_DOCKER_BUILD_NETWORK,
    image_days: docker.SVC_DOCKER_IMAGE_DAYS,
    boot_bundle: docker.boot_bundle,
  })
}

export function whySentence(
  name: ProviderName,
  provider: Pick<SandboxProvider, 'name' | 'describe'>,
): string {
  const asked = `SVC_SANDBOX_PROVIDER=${name}`
  if (provider.name === 'bubblewrap') {
    const { isolated, not_isolated } = provider.describe()
    return `Sandboxes are isolated with bubblewrap (${asked}): ${topics(isolated)}; not: ${topics(not_isolated)}.`
  }
  const [reason = 'no sandboxing'] = provider.describe().not_isolated
  return `Sandboxes are not isolated (${asked}): ${reason}.`
}

/** The first words of a description's sentences. */
function topics(sentences: readonly string[]): string {
  return sentences.map((sentence) => sentence.split(':')[0] ?? '').join(', ')
}
