import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CoreV1Api, KubernetesObjectApi, loadAllYaml, StorageV1Api } from './client.mjs'
import { kubeconfigText } from './control-plane.mjs'

export const provisioner = 'svc.test/local'
export const storageClass = 'svc-local'

/** The files that an operator applies, from infra/kubernetes; the tests hold the worker's own token and no other. */
export async function prepareNamespaces(plane, root, folder) {
  const objects = KubernetesObjectApi.makeApiClient(plane.config)
  for (const file of ['namespaces.yaml', 'rbac.yaml'])
    for (const object of loadAllYaml(readFileSync(join(root, 'infra/kubernetes', file), 'utf8')))
      await objects.create(object)
  await plane.config.makeApiClient(StorageV1Api).createStorageClass({
    body: {
      metadata: {
        name: storageClass,
        annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' },
      },
      provisioner,
      volumeBindingMode: 'Immediate',
    },
  })
  const core = plane.config.makeApiClient(CoreV1Api)
  const token = await tokenOf(core, 'svc', 'svc-sandbox-worker')
  // Pods need the account that controllers make for each namespace.
  await accountOf(core, 'svc-sandboxes', 'default')
  const kubeconfig = join(folder, 'worker.json')
  const ca = readFileSync(plane.ca).toString('base64')
  writeFileSync(kubeconfig, kubeconfigText({ server: plane.server, ca, token, namespace: 'svc-sandboxes' }), {
    mode: 0o600,
  })
  return { kubeconfig, namespace: 'svc-sandboxes' }
}

async function tokenOf(core, namespace, name) {
  const body = { spec: { audiences: ['https://kubernetes.default.svc'], expirationSeconds: 7_200 } }
  const { status } = await core.createNamespacedServiceAccountToken({ namespace, name, body })
  return status.token
}

async function accountOf(core, namespace, name) {
  const deadline = Date.now() + 60_000
  for (;;) {
    const account = await core.readNamespacedServiceAccount({ namespace, name }).catch(() => null)
    if (account !== null) return account
    if (Date.now() > deadline) throw new Error(`the account ${namespace}/${name} was not made`)
    await sleep(100)
  }
}
