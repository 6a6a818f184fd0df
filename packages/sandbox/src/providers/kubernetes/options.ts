import type { SandboxLimits } from '../../provider.ts'
import type { Egress } from '../../network/egress.ts'

/** A network of addresses (`10.1.0.0/16`) or the name of a namespace. */
export type PlatformPeer = string

export interface KubernetesProviderOptions {
  /** A kubeconfig file; null uses the service account of the pod that this runs in. */
  readonly kubeconfig: string | null
  /** A context of the kubeconfig; null is its current one. */
  readonly context: string | null
  /** The sandboxes' namespace; null is the context's, or the pod's own. */
  readonly namespace: string | null
  /** Deployments that share a namespace do not see each other's sandboxes. */
  readonly deployment: string
  /** Holds the layout of a sandbox: `/workspace`, `/opt/svc/home`, `svc-agent`, and `svc-entrypoint` as its entrypoint. */
  readonly image: string
  /** The harnesses in that image, `name@version` each. */
  readonly harnesses: readonly string[]
  /** The class of the volumes; null is the cluster's default one. */
  readonly storage_class: string | null
  readonly runtime_class: string | null
  /** A secret of the namespace with which nodes, and this provider, log in at registries; null where they need none. */
  readonly pull_secret: string | null
  /** The operator's registry, for images that are built here; it may be at a private address, and without TLS. */
  readonly apps_registry: URL | null
  /** The engine that builds them; null where nothing does. */
  readonly apps_engine: string | null
  /** Peers that may reach a sandbox's port 8000, and that it may reach on the ports of `platform_ports`. */
  readonly platform: readonly PlatformPeer[]
  /** The ports of the API and the gateway as their pods have them, since policies hold behind a Service. */
  readonly platform_ports: readonly number[]
  /** The sandboxes' reach beside the platform. */
  readonly egress: Egress
  /** Limits of a sandbox whose spec says nothing. */
  readonly limits: Required<Pick<SandboxLimits, 'cpu' | 'memory_mb' | 'disk_mb'>>
  readonly api_url: string
  readonly deadlines?: Partial<Deadlines>
  readonly log: (level: 'info' | 'warn', message: string, details?: Record<string, unknown>) => void
}

export interface Deadlines {
  /** One call of the API server. */
  readonly request_ms: number
  /** From the pod's creation until it runs, pulling the image included. */
  readonly start_ms: number
  /** Time that a pod may wait for a node with room; a cluster that grows by itself needs minutes. */
  readonly schedule_ms: number
  /** Time until a deleted pod and its claim are gone. */
  readonly stop_ms: number
}

export const defaultDeadlines: Deadlines = {
  request_ms: 15_000,
  start_ms: 180_000,
  schedule_ms: 60_000,
  stop_ms: 60_000,
}
