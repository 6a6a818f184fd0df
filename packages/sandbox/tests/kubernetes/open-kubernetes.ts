import { randomUUID } from 'node:crypto'
import { createKubernetesProvider } from '../../src/providers/kubernetes/create-kubernetes-provider.ts'
import type { KubernetesProviderOptions } from '../../src/providers/kubernetes/options.ts'
import type { SandboxProvider } from '../../src/index.ts'
import type { TestCluster } from '../../src/testing/cluster.ts'

export interface OpenedKubernetes {
  readonly deployment: string
  readonly provider: SandboxProvider
  open(changes?: Partial<KubernetesProviderOptions>): Promise<SandboxProvider>
  dispose(): Promise<void>
}

/** A provider whose deployment no other test has. */
export async function openKubernetes(
  cluster: TestCluster,
  changes: Partial<KubernetesProviderOptions> = {},
): Promise<OpenedKubernetes> {
  const deployment = `test-${randomUUID().slice(0, 8)}`
  const opened: SandboxProvider[] = []
  const open = async (more: Partial<KubernetesProviderOptions> = {}) => {
    const provider = await createKubernetesProvider({
      kubeconfig: cluster.kubeconfig,
      context: null,
      namespace: null,
      deployment,
      image: cluster.image,
      harnesses: [],
      storage_class: null,
      runtime_class: null,
      pull_secret: null,
      apps_registry: null,
      apps_engine: null,
      platform: ['svc'],
      platform_ports: [7700],
      egress: { mode: 'open', forbidden_urls: [], private_repositories: false },
      limits: { cpu: 1, memory_mb: 256, disk_mb: 512 },
      api_url: 'http://127.0.0.1:1/v1',
      log: () => undefined,
      ...changes,
      ...more,
    })
    opened.push(provider)
    return provider
  }
  return {
    deployment,
    provider: await open(),
    open,
    dispose: async () => {
      for (const provider of opened)
        await Promise.all((await provider.list()).map((external_id) => provider.destroy(external_id)))
    },
  }
}
