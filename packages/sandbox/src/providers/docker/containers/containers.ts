import type { ContainerInspectInfo } from 'dockerode'
import type { SandboxStatus } from '../../../provider.ts'
import type { DockerHost } from '../docker-host.ts'

export const deploymentLabel = 'svc.deployment'
export const sandboxLabel = 'svc.sandbox'
/** On the image of a template and on what is made on it: the key of its build. */
export const templateLabel = 'svc.template'

/** One name for one sandbox, so that the engine itself refuses a second one. */
export function containerName(external_id: string): string {
  return `svc-${external_id}`
}

/** Null where the engine answers that there is none. */
export function inspectContainer(
  host: DockerHost,
  external_id: string,
): Promise<ContainerInspectInfo | null> {
  const container = host.engine.docker.getContainer(containerName(external_id))
  return host.engine.find('Looking at a sandbox', (abortSignal) => container.inspect({ abortSignal }))
}

export function statusOfContainer(container: ContainerInspectInfo | null): SandboxStatus {
  if (container === null) return 'removed'
  switch (container.State.Status) {
    case 'running':
    case 'paused':
    case 'restarting':
      return 'running'
    case 'created':
    case 'exited':
    case 'dead':
      return 'stopped'
    default:
      return 'unknown'
  }
}

export async function listContainers(
  host: DockerHost,
  states?: readonly string[],
): Promise<readonly string[]> {
  const filters = {
    label: [`${deploymentLabel}=${host.deployment}`],
    ...(states === undefined ? {} : { status: [...states] }),
  }
  const found = await host.engine.call('Listing sandboxes', (abortSignal) =>
    host.engine.docker.listContainers({ all: true, filters, abortSignal }),
  )
  return found.flatMap(({ Labels }) => Labels[sandboxLabel] ?? [])
}
