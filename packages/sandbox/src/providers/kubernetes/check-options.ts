import { isIP } from 'node:net'
import { SandboxError } from '../../sandbox-error.ts'
import type { KubernetesProviderOptions } from './options.ts'

const name = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/

/** Refuses settings that would make a policy which lets every peer in, or objects that no cluster takes. */
export function checkOptions(
  options: Pick<KubernetesProviderOptions, 'deployment' | 'image' | 'platform' | 'platform_ports'>,
): void {
  const bad = options.platform.filter((peer) => !name.test(peer) && !isNetwork(peer))
  if (bad.length > 0)
    throw refused(
      `SVC_KUBERNETES_PLATFORM names namespaces and networks such as 10.1.0.0/16, not ${bad.join(', ')}.`,
    )
  if (options.platform.length === 0)
    throw refused(
      'SVC_KUBERNETES_PLATFORM must say where the platform runs (a namespace, or a network such as 10.1.0.0/16): only that may reach the sandboxes.',
    )
  if (options.platform_ports.length === 0) throw refused('SVC_KUBERNETES_PLATFORM_PORTS must name a port.')
  if (options.image === '') throw refused('SVC_KUBERNETES_IMAGE must name the image of the sandboxes.')
  if (!name.test(options.deployment))
    throw refused('On Kubernetes, SVC_DEPLOYMENT begins and ends with a letter or a digit.')
}

function isNetwork(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/')
  const version = isIP(address)
  return (
    version !== 0 && rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)
  )
}

function refused(text: string): SandboxError {
  return new SandboxError('internal', text)
}
