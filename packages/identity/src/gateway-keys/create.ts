import { gatewayKeys } from '@svc/db'
import { type KeyContext, mintProjectKey, type NewProjectKey } from '../tokens/project-keys.ts'
import { changedLimits, type LimitsChange } from './limits.ts'
import { keysOfGateway } from './present.ts'

export interface NewGatewayKey extends NewProjectKey {
  readonly name: string
  readonly limits?: LimitsChange | undefined
}

/** A key for the model gateway's routes of one project, and for nothing else. */
export async function createGatewayKey(ctx: KeyContext, { limits: given, ...input }: NewGatewayKey) {
  const limits = changedLimits(given ?? {})
  const minted = await mintProjectKey(ctx, keysOfGateway, 'createGatewayKey', input, {
    ...(given === undefined ? {} : { details: { limits: given } }),
    write: (tx, { token_id }) => gatewayKeys.setLimits(tx, token_id, limits),
  })
  return { ...minted, limits, rotated_from: null }
}
