import type { V1PersistentVolumeClaim } from '@kubernetes/client-node'
import type { Blueprint } from './pod-spec.ts'
import { blueprintAnnotation, marksOf } from './labels.ts'

export interface ClaimInput {
  readonly name: string
  readonly deployment: string
  readonly blueprint: Blueprint
  readonly disk_mb: number
  readonly storage_class: string | null
}

/** What a sandbox keeps while it is stopped: its workspace and its home. */
export function claimManifest(input: ClaimInput): V1PersistentVolumeClaim {
  const { labels, annotations } = marksOf(input.deployment, input.name, input.blueprint.labels)
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: input.name,
      labels: { ...labels },
      annotations: { ...annotations, [blueprintAnnotation]: JSON.stringify(input.blueprint) },
    },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: `${input.disk_mb}Mi` } },
      ...(input.storage_class === null ? {} : { storageClassName: input.storage_class }),
    },
  }
}
