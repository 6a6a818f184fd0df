import type { V1Container, V1Pod, V1PodSpec, V1SecurityContext, V1VolumeMount } from '@kubernetes/client-node'
import { daemonPorts } from '../../../shared/daemon-ports.ts'
import { metadataOf } from './labels.ts'

export interface PodLimits {
  readonly cpu: number
  readonly memory_mb: number
  /** Of what is written in the container itself; some room for logs and the like where there is a claim. */
  readonly disk_mb?: number
}

export interface PodInput {
  readonly name: string
  readonly deployment: string
  readonly labels?: Readonly<Record<string, string>>
  readonly image: string
  readonly command: readonly string[]
  readonly runtime_class: string | null
  /** The secret with which nodes fetch images; null where they need none. */
  readonly pull_secret: string | null
  readonly limits: PodLimits
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

/** The walls of every pod, whatever works in it: no token, no privilege, no other user than this one. */
export function closedPod(
  { runtime_class, pull_secret }: Pick<PodInput, 'runtime_class' | 'pull_secret'>,
  id = user,
) {
  return {
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: graceSeconds,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    ...(runtime_class === null ? {} : { runtimeClassName: runtime_class }),
    ...(pull_secret === null ? {} : { imagePullSecrets: [{ name: pull_secret }] }),
    securityContext: {
      runAsNonRoot: true,
      runAsUser: id,
      runAsGroup: id,
      fsGroup: id,
      fsGroupChangePolicy: 'OnRootMismatch',
      seccompProfile: { type: 'RuntimeDefault' },
    },
  } satisfies Omit<V1PodSpec, 'containers'>
}

/** The same of every container. */
export function closedContainer(
  name: typeof containerName | 'prepare',
  image: string,
  limits: { readonly limits: PodLimits },
) {
  return {
    ...{ name, image, imagePullPolicy: 'IfNotPresent' },
    resources: resourcesOf(limits),
    securityContext: security,
    terminationMessagePolicy: 'FallbackToLogsOnError',
  } satisfies V1Container
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
      ...closedPod(input),
      ...(input.prepared ? {} : { initContainers: [prepareContainer(input)] }),
      containers: [
        {
          ...closedContainer(containerName, input.image, input),
          command: [...input.command],
          workingDir: '/workspace',
          envFrom: [{ secretRef: { name: input.name } }],
          ports: [{ name: 'daemon', containerPort: daemonPorts.service_port }],
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
    ...closedContainer('prepare', input.image, input),
    command: ['/bin/sh', '-c', script],
    volumeMounts: [files],
  }
}

/** Memory is set aside, for one sandbox must not starve another; a cpu that waits for a model is lent out. */
function resourcesOf({ limits }: { readonly limits: PodLimits }): NonNullable<V1Container['resources']> {
  const memory = `${limits.memory_mb}Mi`
  return {
    limits: { cpu: milli(limits.cpu), memory, 'ephemeral-storage': `${limits.disk_mb ?? 4_096}Mi` },
    requests: { cpu: milli(Math.min(limits.cpu, 0.1)), memory, 'ephemeral-storage': '64Mi' },
  }
}

const milli = (cores: number): string => `${Math.max(1, Math.round(cores * 1000))}m`
