import { type ProjectRow, sandboxes, type SandboxRow } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { tokenHash } from '../access/authenticate.ts'
import { newSecret } from '../access/mint.ts'
import type { BaseContext } from '../context.ts'
import { openSealed, sealFor } from '../secrets/project-vault.ts'

const sealedName = (session_id: string) => `sandbox-service-key:${session_id}`

/**
 * The identity of the sandbox that is being made. A creation that is tried again finds the key of the first try, because
 * the provider may already have made a sandbox that knows it.
 */
export async function ensureServiceKey(
  ctx: Pick<BaseContext, 'db' | 'vault' | 'now'>,
  project: ProjectRow,
  session_id: string,
): Promise<string> {
  const record = await sandboxes.find(ctx.db, session_id)
  if (record && record.sealed_service_key !== null) return serviceKey(ctx, project, record)
  const key = newSecret('svc_sbx_')
  await sandboxes.patch(ctx.db, session_id, {
    service_key_hash: tokenHash(key),
    sealed_service_key: sealFor(ctx.vault, project, sealedName(session_id), key),
    updated_at: ctx.now(),
  })
  return key
}

/** The key that this sandbox knows, to speak to its daemon with. */
export function serviceKey(
  ctx: Pick<BaseContext, 'vault'>,
  project: ProjectRow,
  sandbox: SandboxRow,
): string {
  if (sandbox.sealed_service_key === null)
    throw new ServiceError('sandbox_unreachable', 'The sandbox has no key yet')
  return openSealed(ctx.vault, project, sealedName(sandbox.session_id), sandbox.sealed_service_key)
}
