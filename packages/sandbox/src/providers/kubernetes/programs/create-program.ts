import type { V1Pod } from '@kubernetes/client-node'
import type { SandboxEndpoint, SandboxSpec } from '../../../provider.ts'
import { programPorts } from '../../../shared/daemon-ports.ts'
import { inImage, mountedPlaces, programSandboxEnvironment } from '../../../shared/environment.ts'
import { filesFolder } from '../../../engine/image-files.ts'
import { imageProgramOf } from '../../../engine/image-program.ts'
import type { KubernetesContext } from '../context.ts'
import { externalIdOfName } from '../manifests/names.ts'
import { ensurePolicy } from '../steps/ensure-policies.ts'
import { runPod } from '../steps/run-pod.ts'
import { imageUser } from './image-user.ts'
import { programPodManifest } from './program-pod.ts'

/** The pod of a program, running. It is all that there is of it: once it has ended it is not started again. */
export function createProgram(
  context: KubernetesContext,
  name: string,
  spec: SandboxSpec,
  signal: AbortSignal = new AbortController().signal,
): Promise<SandboxEndpoint> {
  const { cluster, options } = context
  // A pod that runs needs no registry.
  const make = async () => {
    const manifest = await manifestOf(context, name, spec, signal)
    await ensurePolicy(cluster, options, 'program')
    await cluster.createPod(manifest)
  }
  return runPod(context, name, make, signal)
}

async function manifestOf(
  { options, registry }: KubernetesContext,
  name: string,
  spec: SandboxSpec,
  signal: AbortSignal,
): Promise<V1Pod> {
  const image = spec.template?.image
  const found = image === undefined ? null : await registry(image, signal)
  // The path is the image's own.
  const { PATH: _, ...ofSandbox } = programSandboxEnvironment(
    {
      ...{ external_id: externalIdOfName(name), address: '', service_port: programPorts.service_port },
      environment: spec.environment,
    },
    found === null ? mountedPlaces : { ...mountedPlaces, workspace: filesFolder },
    { kind: 'own', variables: {} },
  )
  return programPodManifest({
    ...{ name, labels: spec.labels ?? {}, deployment: options.deployment, tools_image: options.image },
    ...{ runtime_class: options.runtime_class, pull_secret: options.pull_secret },
    environment: found === null ? ofSandbox : inImage(ofSandbox, imageProgramOf(found.config)),
    own: found === null ? null : { image: found.name, user: imageUser(found.config.User) },
    limits: {
      cpu: spec.limits?.cpu ?? options.limits.cpu,
      memory_mb: spec.limits?.memory_mb ?? options.limits.memory_mb,
      disk_mb: spec.limits?.disk_mb ?? options.limits.disk_mb,
    },
  })
}
