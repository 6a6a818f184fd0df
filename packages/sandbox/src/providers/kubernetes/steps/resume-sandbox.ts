import type { SandboxEndpoint } from '../../../provider.ts'
import { isOf } from '../manifests/labels.ts'
import { runPod } from './run-pod.ts'
import { saveEnvironment } from './save-environment.ts'
import type { Workshop } from '../context.ts'

/** Null: there is no such sandbox. */
export async function resumeSandbox(
  shop: Workshop,
  name: string,
  environment?: Readonly<Record<string, string>>,
): Promise<SandboxEndpoint | null> {
  const claim = await shop.cluster.findClaim(name)
  if (claim === null || !isOf(shop.options.deployment, claim)) return null
  if (claim.metadata?.deletionTimestamp !== undefined) return null
  await saveEnvironment(shop, claim, environment ?? null)
  return runPod(shop, claim)
}
