import { CoreV1Api, KubeConfig } from '@kubernetes/client-node'
import { describe, it } from 'vitest'

export interface TestCluster {
  /** With the rights of infra/kubernetes/rbac.yaml and no others. */
  readonly kubeconfig: string
  readonly namespace: string
  /** With the stub daemon of the suite. */
  readonly image: string
  /** With the daemon and the runtimes of this checkout. */
  readonly complete_image: string
  /** The address at which pods reach servers on this machine. */
  readonly host_address: string
  /** May do everything: to look behind the provider's back. */
  readonly admin: CoreV1Api
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
  const kubeconfig = process.env['SVC_TEST_KUBECONFIG']
  const adminFile = process.env['SVC_TEST_KUBECONFIG_ADMIN']
  const namespace = process.env['SVC_TEST_KUBERNETES_NAMESPACE']
  const image = process.env['SVC_TEST_KUBERNETES_IMAGE']
  const complete_image = process.env['SVC_TEST_KUBERNETES_COMPLETE_IMAGE']
  const host_address = process.env['SVC_TEST_KUBERNETES_HOST_ADDRESS']
  if (!kubeconfig || !adminFile || !namespace || !image || !complete_image || !host_address) return null
  const config = new KubeConfig()
  config.loadFromFile(adminFile)
  return {
    kubeconfig,
    namespace,
    image,
    complete_image,
    host_address,
    admin: config.makeApiClient(CoreV1Api),
  }
}
