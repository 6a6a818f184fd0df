import type { CoreV1Api } from '@kubernetes/client-node'
import { type Balancer, startBalancer } from '../upgrade/balancer.ts'

const lookMs = 100

/** Sends each request to the next pod of a Service that is ready, as its Endpoints say, as an ingress controller does. */
export async function startIngress(
  core: CoreV1Api,
  service: { readonly name: string; readonly namespace: string },
  port: number,
): Promise<Omit<Balancer, 'add' | 'remove'>> {
  const balancer = await startBalancer()
  let known = new Set<string>()
  const look = async () => {
    const { subsets = [] } = await core.readNamespacedEndpoints(service)
    const addresses = subsets.flatMap((subset) => subset.addresses ?? [])
    const ready = new Set(addresses.map(({ ip }) => ip))
    for (const name of ready) if (!known.has(name)) balancer.add({ name, host: name, port, internal: null })
    for (const name of known) if (!ready.has(name)) balancer.remove(name)
    known = ready
  }
  // What is not there yet, or cannot be asked, leaves it as it was.
  const looking = setInterval(() => void look().catch(() => undefined), lookMs)
  return {
    ...balancer,
    close: () => {
      clearInterval(looking)
      return balancer.close()
    },
  }
}
