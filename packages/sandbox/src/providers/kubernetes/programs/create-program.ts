import type { SandboxEndpoint, SandboxSpec } from '../../../provider.ts'
import { programPorts } from '../../../shared/daemon-ports.ts'
import { inImage, mountedPlaces, programSandboxEnvironment } from '../../../shared/environment.ts'
import { filesFolder } from '../../../engine/image-files.ts'
import type { KubernetesContext } from '../context.ts'
import { externalIdOfName } from '../manifests/names.ts'
import { ensurePolicy } from '../steps/ensure-policies.ts'
import { runPod } from '../steps/run-pod.ts'
import { programOfImage } from './program-image.ts'
import { programPodManifest } from './program-pod.ts'

/** The pod of a program, running. It is all that there is of it: once it has ended it is not started again. */
export async function createProgram(
  context: KubernetesContext,
  name: string,
  spec: SandboxSpec,
  signal?: AbortSignal,
): Promise<SandboxEndpoint> {
  const { cluster, options, registry } = context
  const image = spec.template?.image
  const described = image === undefined ? null : await registry(image, signal ?? new AbortController().signal)
  const own = described === null ? null : { image: described.name, ...programOfImage(described) }
  // The path is the image's own.
  const { PATH: _, ...ofSandbox } = programSandboxEnvironment(
    {
      ...{ external_id: externalIdOfName(name), address: '', service_port: programPorts.service_port },
      environment: spec.environment,
    },
    own === null ? mountedPlaces : { ...mountedPlaces, workspace: filesFolder },
    { kind: 'own', variables: {} },
  )
  const environment = own === null ? ofSandbox : inImage(ofSandbox, own.program)
  const manifest = programPodManifest({
    ...{ name, environment, own, labels: spec.labels ?? {}, tools_image: options.image },
    ...{ deployment: options.deployment, runtime_class: options.runtime_class },
    pull_secret: options.pull_secret,
    limits: {
      cpu: spec.limits?.cpu ?? options.limits.cpu,
      memory_mb: spec.limits?.memory_mb ?? options.limits.memory_mb,
      disk_mb: spec.limits?.disk_mb ?? options.limits.disk_mb,
    },
  })
  const make = async () => {
    await ensurePolicy(cluster, options, 'program')
    await cluster.createPod(manifest)
  }
  return runPod(context, name, make, signal)
}
