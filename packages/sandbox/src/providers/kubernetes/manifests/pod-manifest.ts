import type { V1Container, V1Pod, V1SecurityContext, V1VolumeMount } from '@kubernetes/client-node'
import { daemonPorts } from '../../../shared/daemon-ports.ts'
import { metadataOf } from './labels.ts'

export interface PodInput {
  readonly name: string
  readonly deployment: string
  readonly labels?: Readonly<Record<string, string>>
  readonly image: string
  readonly command: readonly string[]
  readonly runtime_class: string | null
  readonly limits: { readonly cpu: number; readonly memory_mb: number }
  /** True once the volume has its folders. */
  readonly prepared: boolean
}

export const containerName = 'sandbox'

/** The user of the sandbox image. */
const user = 1000

/** The daemon ends its runtime and says its last words within this time. */
const graceSeconds = 5

const security: V1SecurityContext = {
  privileged: false,
  allowPrivilegeEscalation: false,
  runAsNonRoot: true,
  capabilities: { drop: ['ALL'] },
}

/** One run of a sandbox. Its environment is in the secret of the same name, so that looking at pods shows none of it. */
export function podManifest(input: PodInput): V1Pod {
  const { labels, annotations } = metadataOf(input.deployment, input.name, input.labels)
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: input.name,
      labels: { ...labels },
      // An agent's running work is lost with its pod: no autoscaler may move it to save a node.
      annotations: { ...annotations, 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false' },
    },
    spec: {
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: graceSeconds,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      ...(input.runtime_class === null ? {} : { runtimeClassName: input.runtime_class }),
      securityContext: {
        runAsNonRoot: true,
        runAsUser: user,
        runAsGroup: user,
        fsGroup: user,
        fsGroupChangePolicy: 'OnRootMismatch',
        seccompProfile: { type: 'RuntimeDefault' },
      },
      ...(input.prepared ? {} : { initContainers: [prepareContainer(input)] }),
      containers: [
        {
          name: containerName,
          image: input.image,
          imagePullPolicy: 'IfNotPresent',
          command: [...input.command],
          workingDir: '/workspace',
          envFrom: [{ secretRef: { name: input.name } }],
          ports: [{ name: 'daemon', containerPort: daemonPorts.service_port }],
          resources: resourcesOf(input),
          securityContext: security,
          terminationMessagePolicy: 'FallbackToLogsOnError',
          volumeMounts: [
            { name: 'files', mountPath: '/workspace', subPath: 'workspace' },
            { name: 'files', mountPath: '/opt/svc/home', subPath: 'home' },
            { name: 'run', mountPath: '/run/svc' },
          ],
        },
      ],
      volumes: [
        { name: 'files', persistentVolumeClaim: { claimName: input.name } },
        { name: 'run', emptyDir: { medium: 'Memory', sizeLimit: '16Mi' } },
      ],
    },
  }
}

/**
 * Makes the folders as the sandbox's own user before the first run: the node would make them as root, and git refuses a
 * workspace that belongs to another user. The files that the image has in its home come along.
 */
function prepareContainer(input: PodInput): V1Container {
  const files: V1VolumeMount = { name: 'files', mountPath: '/mnt/files' }
  const script =
    'mkdir -p /mnt/files/workspace /mnt/files/home && cp -Rn /opt/svc/home/. /mnt/files/home/ 2>/dev/null; test -d /mnt/files/home'
  return {
    name: 'prepare',
    image: input.image,
    imagePullPolicy: 'IfNotPresent',
    command: ['/bin/sh', '-c', script],
    resources: resourcesOf(input),
    securityContext: security,
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: [files],
  }
}

/** Memory is set aside, for one sandbox must not starve another; a cpu that waits for a model is lent out. */
function resourcesOf({ limits }: PodInput): NonNullable<V1Container['resources']> {
  const memory = `${limits.memory_mb}Mi`
  return {
    limits: { cpu: milli(limits.cpu), memory, 'ephemeral-storage': '4Gi' },
    requests: { cpu: milli(Math.min(limits.cpu, 0.1)), memory, 'ephemeral-storage': '64Mi' },
  }
}

const milli = (cores: number): string => `${Math.max(1, Math.round(cores * 1000))}m`
