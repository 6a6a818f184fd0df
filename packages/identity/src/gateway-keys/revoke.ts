import { type KeyContext, revokeProjectKey } from '../tokens/project-keys.ts'
import { keysOfGateway } from './present.ts'

export async function revokeGatewayKey(
  ctx: KeyContext,
  input: { readonly project_id: string; readonly token_id: string },
): Promise<void> {
  return revokeProjectKey(ctx, keysOfGateway, 'revokeGatewayKey', input)
}
