import { type BaseContext, newSecret, tokenHash } from '@svc/context'
import type { ProjectRow, SandboxRow } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { openSealed, sealFor } from '../../projects/project-vault.ts'

const sealedName = (session_id: string) => `sandbox-service-key:${session_id}`

/**
 * The identity of the sandbox that is being made, and the columns to be written when it is a new one. A creation that is
 * tried again finds the key of the first try, because the provider may already have made a sandbox that knows it.
 */
export function newServiceKey(
  ctx: Pick<BaseContext, 'vault' | 'now'>,
  project: ProjectRow,
  sandbox: Pick<SandboxRow, 'session_id' | 'sealed_service_key'>,
) {
  if (sandbox.sealed_service_key !== null) return { key: serviceKey(ctx, project, sandbox), columns: null }
  const key = newSecret('svc_sbx_')
  const columns = {
    service_key_hash: tokenHash(key),
    sealed_service_key: sealFor(ctx.vault, project, sealedName(sandbox.session_id), key),
    updated_at: ctx.now(),
  }
  return { key, columns }
}

/** The key that this sandbox knows, to speak to its daemon with. */
export function serviceKey(
  ctx: Pick<BaseContext, 'vault'>,
  project: ProjectRow,
  sandbox: Pick<SandboxRow, 'session_id' | 'sealed_service_key'>,
): string {
  if (sandbox.sealed_service_key === null)
    throw new ServiceError('sandbox_unreachable', 'The sandbox has no key yet; try again in a moment')
  return openSealed(ctx.vault, project, sealedName(sandbox.session_id), sandbox.sealed_service_key)
}
