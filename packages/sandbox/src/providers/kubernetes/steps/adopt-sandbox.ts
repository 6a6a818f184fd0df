import { ensureRepositoryPolicy } from './ensure-policies.ts'
import { isOf } from '../manifests/labels.ts'
import { podStateOf } from '../state/sandbox-state.ts'
import { saveEnvironment } from './save-environment.ts'
import type { KubernetesContext } from '../context.ts'

/** Gives a running pod the environment of its next starts; its own stays as it is. False: it does not run. */
export async function adoptSandbox(
  context: KubernetesContext,
  name: string,
  environment: Readonly<Record<string, string>>,
): Promise<boolean> {
  const { deployment } = context.options
  const [claim, pod] = await Promise.all([context.cluster.findClaim(name), context.cluster.findPod(name)])
  if (claim === null || !isOf(deployment, claim) || pod === null || !isOf(deployment, pod)) return false
  if (podStateOf(pod) !== 'running') return false
  await saveEnvironment(context, claim, environment)
  const whole = { SVC_API_URL: context.options.api_url, ...environment }
  await ensureRepositoryPolicy(context.cluster, context.options, claim, whole)
  return true
}
