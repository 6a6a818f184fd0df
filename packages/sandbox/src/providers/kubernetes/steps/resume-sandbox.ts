import type { SandboxEndpoint } from '../../../provider.ts'
import { isOf } from '../manifests/labels.ts'
import { runClaimed } from './run-pod.ts'
import { saveEnvironment } from './save-environment.ts'
import type { KubernetesContext } from '../context.ts'

/** Null: there is no such sandbox. */
export async function resumeSandbox(
  context: KubernetesContext,
  name: string,
  environment?: Readonly<Record<string, string>>,
): Promise<SandboxEndpoint | null> {
  const claim = await context.cluster.findClaim(name)
  if (claim === null || !isOf(context.options.deployment, claim)) return null
  if (claim.metadata?.deletionTimestamp !== undefined) return null
  await saveEnvironment(context, claim, environment ?? null)
  return runClaimed(context, claim)
}
