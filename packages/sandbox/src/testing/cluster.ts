import { CoreV1Api, KubeConfig } from '@kubernetes/client-node'
import { describe, it } from 'vitest'

export interface TestCluster {
  /** With the rights of infra/kubernetes/rbac.yaml and no others. */
  readonly kubeconfig: string
  readonly namespace: string
  /** Programs that agents expect of a machine, and nothing of this checkout. */
  readonly base_image: string
  /** With the stub daemon of the suite. */
  readonly image: string
  /** With the daemon and the runtimes of this checkout. */
  readonly complete_image: string
  /** The same with harnesses, and which, as SVC_KUBERNETES_HARNESSES has them. */
  readonly harness_image: string
  readonly harnesses: string
  /** The Docker engine of its node. */
  readonly engine_url: string
  /** The address at which pods reach servers on this machine. */
  readonly host_address: string
  /** May do everything: to look behind the provider's back. */
  readonly admin: CoreV1Api
  readonly admin_config: KubeConfig
}

/** Tests on a real cluster; without one they say where to get it. */
export function describeOnCluster(name: string, tests: (cluster: TestCluster) => void): void {
  const cluster = readCluster()
  if (cluster !== null) return tests(cluster)
  console.warn(`Skipped: ${name}, because there is no cluster: npm run test:kubernetes starts one`)
  describe.skip(name, () => {
    it('needs a cluster')
  })
}

/** Reads the settings of the cluster that `npm run test:kubernetes` gives to the tests that it runs. */
export function readCluster(): TestCluster | null {
  const adminFile = process.env['SVC_TEST_KUBECONFIG_ADMIN'] ?? ''
  const cluster = {
    kubeconfig: process.env['SVC_TEST_KUBECONFIG'] ?? '',
    namespace: process.env['SVC_TEST_KUBERNETES_NAMESPACE'] ?? '',
    base_image: process.env['SVC_TEST_KUBERNETES_BASE_IMAGE'] ?? '',
    image: process.env['SVC_TEST_KUBERNETES_IMAGE'] ?? '',
    complete_image: process.env['SVC_TEST_KUBERNETES_COMPLETE_IMAGE'] ?? '',
    harness_image: process.env['SVC_TEST_KUBERNETES_HARNESS_IMAGE'] ?? '',
    harnesses: process.env['SVC_TEST_KUBERNETES_HARNESSES'] ?? '',
    host_address: process.env['SVC_TEST_KUBERNETES_HOST_ADDRESS'] ?? '',
    engine_url: process.env['SVC_TEST_KUBERNETES_ENGINE'] ?? '',
  }
  if (adminFile === '' || Object.values(cluster).includes('')) return null
  const config = new KubeConfig()
  config.loadFromFile(adminFile)
  return { ...cluster, admin: config.makeApiClient(CoreV1Api), admin_config: config }
}
