import type { V1Container, V1EnvVar, V1Pod } from '@kubernetes/client-node'
import { filesFolder, programEntrypoint, withheldVariables } from '../../../engine/image-files.ts'
import { programPorts } from '../../../shared/daemon-ports.ts'
import { clusterVariables, startScript } from '../manifests/pod-spec.ts'
import { closedContainer, closedPod, containerName } from '../manifests/pod-manifest.ts'
import { metadataOf, programName } from '../manifests/labels.ts'
import { prepareScript } from './prepare-script.ts'

export interface ProgramPodInput {
  readonly name: string
  readonly deployment: string
  readonly labels: Readonly<Record<string, string>>
  /** The platform's own image: that of the program, or what brings `svc-appd` into the program's. */
  readonly tools_image: string
  /** The image of the program and its user; null where the platform's own is all there is. */
  readonly own: { readonly image: string; readonly user: number } | null
  readonly environment: Readonly<Record<string, string>>
  readonly runtime_class: string | null
  readonly pull_secret: string | null
  readonly limits: { readonly cpu: number; readonly memory_mb: number; readonly disk_mb: number }
}

/** The volume with `svc-appd` and all that it needs, for images of which nothing is known. */
const toolsMount = '/opt/svc'
const copiedAt = '/mnt/svc'

/**
 * The sandbox of a program. It has no claim: its files are scratch and go with the pod. Nothing secret is in its environment,
 * since a program's own variables are sent to it once it runs.
 */
export function programPodManifest(input: ProgramPodInput): V1Pod {
  const { own } = input
  const { labels, annotations } = metadataOf(input.deployment, input.name, input.labels)
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: input.name,
      labels: { ...labels, 'app.kubernetes.io/name': programName },
      annotations: { ...annotations },
    },
    spec: {
      ...closedPod(input, own?.user),
      ...(own === null ? {} : { initContainers: [bringContainer(input)] }),
      containers: [own === null ? ofPlatform(input) : ofImage(input, own.image)],
      ...(own === null
        ? {}
        : {
            volumes: [
              { name: 'svc', emptyDir: {} },
              { name: 'files', emptyDir: {} },
            ],
          }),
    },
  }
}

const containerOf = (input: ProgramPodInput, image: string) => ({
  ...closedContainer(containerName, image, input),
  env: environmentOf(input),
  ports: [{ name: 'program', containerPort: programPorts.service_port }],
})

const ofPlatform = (input: ProgramPodInput): V1Container => ({
  ...containerOf(input, input.tools_image),
  command: ['/bin/sh', '-c', startScript, 'svc-start', ''],
  workingDir: '/workspace',
})

const ofImage = (input: ProgramPodInput, image: string): V1Container => ({
  ...containerOf(input, image),
  command: [...programEntrypoint],
  workingDir: '/',
  volumeMounts: [
    { name: 'svc', mountPath: toolsMount, readOnly: true },
    { name: 'files', mountPath: filesFolder },
  ],
})

/** Without a shell that could unset them, variables that a program is not to have are empty, which are not passed on. */
function environmentOf({ own, environment }: ProgramPodInput): V1EnvVar[] {
  const emptied = own === null ? [] : [...clusterVariables, ...withheldVariables]
  return [
    ...emptied.map((name) => ({ name, value: '' })),
    // A dollar sign would name another variable.
    ...Object.entries(environment).map(([name, value]) => ({
      name,
      value: value.replaceAll('$(', () => '$$('),
    })),
  ]
}

/** Brings `svc-appd` from the platform's image, as the program's user: no command of the program's image is run. */
function bringContainer(input: ProgramPodInput): V1Container {
  return {
    ...closedContainer('prepare', input.tools_image, input),
    command: ['/bin/sh', '-c', prepareScript(copiedAt)],
    volumeMounts: [{ name: 'svc', mountPath: copiedAt }],
  }
}
