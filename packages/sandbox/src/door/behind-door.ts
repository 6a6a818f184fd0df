import { isLoopback } from '@svc/facts'
import type { SandboxEndpoint, SandboxProvider } from '../provider.ts'
import type { SandboxDoor } from './open-door.ts'

/** The same sandboxes, those that only this machine reaches through its door. */
export function behindDoor(provider: SandboxProvider, door: Pick<SandboxDoor, 'outside'>): SandboxProvider {
  const outside = (external_id: string, endpoint: SandboxEndpoint) =>
    isOfThisMachine(endpoint) ? door.outside(external_id) : endpoint
  return {
    ...provider,
    create: async (spec, signal) => {
      const made = await provider.create(spec, signal)
      return { ...made, endpoint: outside(made.external_id, made.endpoint) }
    },
    start: async (external_id, environment) => {
      const { endpoint } = await provider.start(external_id, environment)
      return { endpoint: outside(external_id, endpoint) }
    },
    endpoint: async (external_id) => {
      const endpoint = await provider.endpoint(external_id)
      return endpoint && outside(external_id, endpoint)
    },
  }
}

function isOfThisMachine({ url }: SandboxEndpoint): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'unix:' || isLoopback(hostname)
}
