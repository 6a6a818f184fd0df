import { ensureRepositoryPolicy } from './ensure-policies.ts'
import { isOf } from '../manifests/labels.ts'
import { podStateOf } from '../state/sandbox-state.ts'
import { saveEnvironment } from './save-environment.ts'
import type { Workshop } from '../context.ts'

/** Gives a running pod the environment of its next starts; its own stays as it is. False: it does not run. */
export async function adoptSandbox(
  shop: Workshop,
  name: string,
  environment: Readonly<Record<string, string>>,
): Promise<boolean> {
  const { deployment } = shop.options
  const [claim, pod] = await Promise.all([shop.cluster.findClaim(name), shop.cluster.findPod(name)])
  if (claim === null || !isOf(deployment, claim) || pod === null || !isOf(deployment, pod)) return false
  if (podStateOf(pod) !== 'running') return false
  await saveEnvironment(shop, claim, environment)
  const whole = { SVC_API_URL: shop.options.api_url, ...environment }
  await ensureRepositoryPolicy(shop.cluster, shop.options, claim, whole)
  return true
}
