import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { KubeConfig } from '@kubernetes/client-node'
import { SandboxError } from '../../../sandbox-error.ts'
import type { KubernetesProviderOptions } from '../options.ts'

/** A file in every pod that has a service account. */
const podNamespace = '/var/run/secrets/kubernetes.io/serviceaccount/namespace'

export interface Connection {
  readonly config: KubeConfig
  readonly namespace: string
  /** The origin of the API server, with a path where it is behind one. */
  readonly server: string
  /** The namespace in which this process runs, when it runs in the cluster. */
  readonly own_namespace: string | null
}

/** Connects by the kubeconfig that was named, else as the pod's own service account. */
export async function connect(
  options: Pick<KubernetesProviderOptions, 'kubeconfig' | 'context' | 'namespace'>,
): Promise<Connection> {
  const config = new KubeConfig()
  if (options.kubeconfig !== null) await loadFile(config, options.kubeconfig, options.context)
  else if (existsSync(podNamespace)) config.loadFromCluster()
  else {
    throw refused(
      'Sandboxes on Kubernetes need a cluster: run this in one, or name a kubeconfig in SVC_KUBERNETES_KUBECONFIG.',
    )
  }
  const cluster = config.getCurrentCluster()
  if (cluster === null) {
    throw refused(
      `The kubeconfig has no cluster for the context ${JSON.stringify(config.getCurrentContext())}.`,
    )
  }
  const own_namespace = options.kubeconfig === null ? (await readFile(podNamespace, 'utf8')).trim() : null
  const fromContext = config.getContextObject(config.getCurrentContext())?.namespace ?? 'default'
  const namespace = options.namespace ?? own_namespace ?? fromContext
  return { config, namespace, server: cluster.server, own_namespace }
}

async function loadFile(config: KubeConfig, path: string, context: string | null): Promise<void> {
  try {
    config.loadFromString(await readFile(path, 'utf8'))
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    throw refused(`The kubeconfig ${path} cannot be read: ${text}`)
  }
  // Files that a kubeconfig names lie beside it.
  config.makePathsAbsolute(path.replace(/[^/]*$/, ''))
  if (context === null) return
  if (config.getContextObject(context) === null)
    throw refused(`The kubeconfig ${path} has no context ${JSON.stringify(context)}.`)
  config.setCurrentContext(context)
}

function refused(text: string): SandboxError {
  return new SandboxError('internal', text)
}
