import { type Context, requireProject } from '@svc/context'
import { gatewayKeys } from '@svc/db'
import { keysOfGateway, presentKey } from './present.ts'

export async function listGatewayKeys(
  ctx: Pick<Context, 'db' | 'principal'>,
  input: { readonly project_id: string },
) {
  await requireProject(ctx, input.project_id, keysOfGateway.capability)
  const keys = await gatewayKeys.list(ctx.db, input.project_id)
  return { tokens: keys.map(presentKey) }
}
