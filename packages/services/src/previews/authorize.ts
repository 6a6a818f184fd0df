import { type Context, requireFeature } from '@svc/context'
import { type SandboxRow, sandboxes } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { SandboxEndpoint } from '@svc/sandbox'
import { callerContext, sandboxRole } from '../sandboxes/proxy/caller-context.ts'
import { endpointOf } from '../sandboxes/endpoint.ts'
import { notRunning } from '../sandboxes/proxy/not-running.ts'
import { daemonPort, isNeverProxied } from '../sandboxes/proxy/ports.ts'
import { withoutUserContext } from '../sandboxes/proxy/proxy-path.ts'
import type { AccessibleSession, SessionInput } from '../sessions/find-session.ts'
import { requireReader } from '../sessions/session-access.ts'

export interface PreviewInput extends SessionInput {
  readonly port: number
}

export interface PreviewTarget {
  readonly external_id: string
  readonly endpoint: SandboxEndpoint
  /** As the daemon is asked for it. */
  readonly path: string
  readonly user_context: string
}

type Running = AccessibleSession & {
  readonly sandbox: SandboxRow & { readonly endpoint: string; readonly external_id: string }
}

/** The session of the port. Refuses a caller who may not see it, and a session that does not run. */
export async function requirePreview(
  ctx: Pick<Context, 'db' | 'principal' | 'trail'>,
  { port, ...key }: PreviewInput,
): Promise<Running> {
  const found = await requireReader(ctx, key)
  if (port === daemonPort || isNeverProxied(port))
    throw new ServiceError('forbidden', `Port ${port} is never shown; let the program listen on another port`)
  await requireFeature(ctx, key.project_id, 'previews')
  const sandbox = await sandboxes.find(ctx.db, key.session_id)
  const { endpoint = null, external_id = null } = sandbox ?? {}
  if (found.session.status !== 'running' || !sandbox || endpoint === null || external_id === null)
    throw notRunning(found.session)
  return { ...found, sandbox: { ...sandbox, endpoint, external_id } }
}

/** Target of a request to a preview. Throws when its caller may not go there. */
export async function authorizePreview(
  ctx: Pick<Context, 'db' | 'principal' | 'vault' | 'now' | 'trail'>,
  { path, ...input }: PreviewInput & { readonly path: string },
): Promise<PreviewTarget> {
  const { sandbox, ...found } = await requirePreview(ctx, input)
  return {
    external_id: sandbox.external_id,
    endpoint: endpointOf(ctx, found.project, sandbox),
    path: `/proxy/${input.port}${withoutUserContext(path)}`,
    user_context: callerContext(ctx, found, sandbox, sandboxRole(ctx, found)),
  }
}
