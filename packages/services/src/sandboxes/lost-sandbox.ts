import { sandboxes } from '@svc/db'
import { SandboxError } from '@svc/sandbox'
import type { SandboxContext } from '../context.ts'
import type { SandboxClaim } from './provision/claim.ts'

/**
 * Removes a sandbox whose creation died or failed halfway, so that no row names it. The key is made first, so without
 * a key there is none; a second create with its id returns the one that exists.
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
