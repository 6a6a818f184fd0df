import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CoreV1Api } from './client.mjs'
import { nodeName } from './kubelet.mjs'
import { provisioner, storageClass } from './namespaces.mjs'

/** A provisioner of local volumes: a folder for each claim of the class, removed with it. */
export function startVolumes({ config }, folder) {
  const core = config.makeApiClient(CoreV1Api)
  let closing = false
  const look = async () => {
    const [claims, volumes] = await Promise.all([
      core.listPersistentVolumeClaimForAllNamespaces(),
      core.listPersistentVolume(),
    ])
    const taken = new Set(volumes.items.map(({ metadata }) => metadata.name))
    const owed = claims.items.filter(
      ({ metadata, spec, status }) =>
        spec.storageClassName === storageClass &&
        status.phase === 'Pending' &&
        !taken.has(`volume-${metadata.uid}`),
    )
    for (const claim of owed) await provide(core, folder, claim)
    for (const { metadata, status } of volumes.items) {
      if (status.phase !== 'Released' && status.phase !== 'Failed') continue
      rmSync(join(folder, metadata.name), { recursive: true, force: true })
      await core.deletePersistentVolume({ name: metadata.name })
    }
  }
  const loop = (async () => {
    while (!closing) {
      await look().catch((error) => process.stderr.write(`test:kubernetes: volumes: ${error.message}\n`))
      await sleep(100)
    }
  })()
  return {
    close: async () => {
      closing = true
      await loop
    },
  }
}

async function provide(core, folder, claim) {
  const name = `volume-${claim.metadata.uid}`
  const path = join(folder, name)
  mkdirSync(path, { recursive: true })
  // As a new file system is: root's, until the kubelet gives it to the pod's group.
  chmodSync(path, 0o755)
  await core.createPersistentVolume({
    body: {
      metadata: { name, annotations: { 'pv.kubernetes.io/provisioned-by': provisioner } },
      spec: {
        capacity: { storage: claim.spec.resources.requests.storage },
        accessModes: claim.spec.accessModes,
        persistentVolumeReclaimPolicy: 'Delete',
        storageClassName: storageClass,
        claimRef: { namespace: claim.metadata.namespace, name: claim.metadata.name, uid: claim.metadata.uid },
        local: { path },
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [nodeName] }] },
            ],
          },
        },
      },
    },
  })
}
