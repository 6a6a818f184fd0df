import type { Capability } from '@svc/facts'
import type { gatewayKeys } from '@svc/db'
import { presentToken } from '../tokens/present.ts'

/** The keys of people for the model gateway of one project. */
export const keysOfGateway = {
  kind: 'gateway',
  capability: 'project.gateway.keys.manage' satisfies Capability,
  path: 'gateway-keys',
} as const

export function presentKey(key: gatewayKeys.GatewayKey) {
  const { limits, rotated_from } = key
  return { ...presentToken(key), limits, rotated_from }
}

export function targetOf({
  project_id,
  token_id,
}: {
  readonly project_id: string
  readonly token_id: string
}) {
  return `projects/${project_id}/${keysOfGateway.path}/${token_id}`
}
