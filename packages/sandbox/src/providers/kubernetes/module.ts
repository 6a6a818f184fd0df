import { platformOnly } from '../../network/egress.ts'
import { choiceOf, type ProviderModule } from '../provider-module.ts'
import { type KubernetesEnv, kubernetesEnv, kubernetesSettings } from './settings.ts'

export const kubernetesModule = {
  names: ['kubernetes'],
  settings: kubernetesEnv,
  place: 'elsewhere',
  open: async ({ name, settings, parts }) => {
    const { scope: deployment, api_url, log, egress = platformOnly, own_ports = [] } = parts
    const options = kubernetesSettings(settings)
    const platform_ports = [...new Set([...options.platform_ports, ...own_ports])]
    // Its client is large: only those who ask for it load it.
    const { createKubernetesProvider } = await import('./create-kubernetes-provider.ts')
    const provider = await createKubernetesProvider({
      ...options,
      platform_ports,
      deployment,
      egress,
      api_url,
      log,
    })
    return { provider, why: `Sandboxes are pods of a Kubernetes cluster (${choiceOf(name)}).` }
  },
} as const satisfies ProviderModule<KubernetesEnv>
