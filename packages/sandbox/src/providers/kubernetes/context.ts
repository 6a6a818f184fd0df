import type { Registry } from './registry/registry.ts'
import type { Cluster } from './cluster/cluster.ts'
import type { Deadlines, KubernetesProviderOptions } from './options.ts'

/** The parts that every step of a sandbox's life works with. */
export interface KubernetesContext {
  readonly options: KubernetesProviderOptions
  readonly deadlines: Deadlines
  readonly cluster: Cluster
  readonly registry: Registry
}
