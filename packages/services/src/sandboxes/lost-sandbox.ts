import { sandboxes } from '@svc/db'
import { SandboxError } from '@svc/sandbox'
import type { SandboxContext } from '../context.ts'
import type { SandboxClaim } from './claim.ts'

/**
 * Removes the sandbox that no row names because its creation died on the way or failed halfway. A key was made before
 * anything else, so without a key there is none; asking to create it again names the one that is there.
 */
export async function destroyLost(
  ctx: SandboxContext,
  claim: SandboxClaim,
  session_id: string,
): Promise<void> {
  const record = await sandboxes.find(ctx.db, session_id)
  if (!record || record.external_id !== null || record.sealed_service_key === null) return
  try {
    const { external_id } = await ctx.provider.create({ sandbox_id: session_id, environment: {} }, ctx.signal)
    await claim.check()
    await ctx.provider.destroy(external_id)
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error
    ctx.log.warn({ err: error, session_id }, 'a sandbox that may have been created was not found')
  }
  await claim.write((tx) =>
    sandboxes.patch(tx, session_id, { service_key_hash: null, sealed_service_key: null }),
  )
}
