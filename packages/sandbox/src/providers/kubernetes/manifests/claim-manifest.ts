import type { V1PersistentVolumeClaim } from '@kubernetes/client-node'
import type { PodSpec } from './pod-spec.ts'
import { podSpecAnnotation, metadataOf } from './labels.ts'

export interface ClaimInput {
  readonly name: string
  readonly deployment: string
  readonly podSpec: PodSpec
  readonly disk_mb: number
  readonly storage_class: string | null
}

/** The claim for the files that a stopped sandbox keeps: its workspace and its home. */
export function claimManifest(input: ClaimInput): V1PersistentVolumeClaim {
  const { labels, annotations } = metadataOf(input.deployment, input.name, input.podSpec.labels)
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: input.name,
      labels: { ...labels },
      annotations: { ...annotations, [podSpecAnnotation]: JSON.stringify(input.podSpec) },
    },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: `${input.disk_mb}Mi` } },
      ...(input.storage_class === null ? {} : { storageClassName: input.storage_class }),
    },
  }
}
