import type { ProviderDescription } from '../../provider.ts'
import type { KubernetesProviderOptions } from './options.ts'

export function describeKubernetes({
  runtime_class,
}: Pick<KubernetesProviderOptions, 'runtime_class'>): ProviderDescription {
  const kernel =
    runtime_class === null
      ? ['kernel: sandboxes share that of their node (a runtime class such as gVisor’s separates them)']
      : []
  return {
    name: 'kubernetes',
    isolated: [
      'files: a sandbox has the files of its image and a volume of its own',
      'processes: a sandbox sees and signals only its own, as user 1000 without any capability',
      'memory, cpu: limited for the sandbox as a whole',
      'the cluster: a sandbox has no token for its API',
      ...(runtime_class === null ? [] : [`kernel: as the runtime class ${runtime_class} separates it`]),
    ],
    not_isolated: [
      'network: a policy closes sandboxes off, where the cluster’s network enforces policies; ask it, not us',
      'disk: a volume is held to its size only where its storage does so',
      'pids: limited only where the nodes’ kubelets do (podPidsLimit)',
      ...kernel,
    ],
  }
}
