import { createHash } from 'node:crypto'
import type { Workload } from '../../../provider.ts'

const pattern = /^sbx_[0-9a-f]{32}$/

/** The same for the same sandbox on every worker of a deployment. */
export function externalIdOf(deployment: string, sandboxId: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([deployment, sandboxId]))
    .digest('hex')
  return `sbx_${digest.slice(0, 32)}`
}

/** The name of the pod, the claim and the secret of a sandbox; null for what is no id of ours. */
export function nameOf(externalId: string): string | null {
  return pattern.test(externalId) ? externalId.replace('_', '-') : null
}

export function externalIdOfName(name: string): string {
  return name.replace('-', '_')
}

export function policyName(deployment: string, workload: Workload = 'session'): string {
  return `${workload === 'session' ? 'svc-sandboxes' : 'svc-programs'}-${deployment}`
}
