import {
  type AccessibleProject,
  type AuditEntry,
  type Context,
  forbidden,
  requireActor,
  requireFeature,
  requireProject,
} from '@svc/context'
import { sandboxes, type sessions } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { SandboxEndpoint } from '@svc/sandbox'
import { ofSession } from '../../sessions/audit.ts'
import { requireOpen } from '../../sessions/session-access.ts'
import { callerContext, sandboxRole } from './caller-context.ts'
import { endpointOf } from '../endpoint.ts'
import { notRunning } from './not-running.ts'
import { daemonPort, isNeverProxied, isPort } from './ports.ts'
import { withoutUserContext } from './proxy-path.ts'

export interface ProxyInput {
  readonly external_id: string
  readonly port: number
  /** Path and query below the port. */
  readonly path: string
  readonly method: string
  /** True when the connection is to be upgraded to one that both sides write to. */
  readonly upgrade?: boolean | undefined
}

export interface ProxyTarget {
  readonly endpoint: SandboxEndpoint
  readonly path: string
  readonly user_context: string
  /** Logged before the sandbox gets the request; null for plain reads and for the programs of previews. */
  readonly entry: AuditEntry | null
}

/** The target of a request into a sandbox, once its caller was found to be allowed there. */
export async function authorizeProxy(
  ctx: Pick<Context, 'db' | 'principal' | 'vault' | 'now' | 'trail'>,
  input: ProxyInput,
): Promise<ProxyTarget> {
  const { port, method } = input
  if (!isPort(port))
    throw new ServiceError('not_found', 'There is no such port; give a number from 1 to 65535')
  if (isNeverProxied(port))
    throw new ServiceError(
      'forbidden',
      `Port ${port} is never proxied; let the program listen on another port`,
    )
  const path = withoutUserContext(input.path)

  requireActor(ctx)
  const session = await sandboxes.findByExternalId(ctx.db, input.external_id)
  if (!session) throw noSuchSandbox()
  const project = await visible(ctx, session)
  const found = { project, session }
  requireOpen(ctx, found)

  if (port !== daemonPort) await requireFeature(ctx, project.project_id, 'previews')
  const role = sandboxRole(ctx, found)
  if (port === daemonPort && role === 'viewer' && !isReadOnly(method, path)) {
    throw forbidden(
      'project.session.start',
      'Only the owner of the session or a manager of the project may do this; ask one of them',
    )
  }
  if (port === daemonPort && isDaemonControl(method, path))
    throw new ServiceError('not_found', 'The daemon has no such public route; use the routes of the session')
  if (session.status !== 'running' || session.endpoint === null) throw notRunning(session)
  return {
    endpoint: endpointOf(ctx, project, session),
    path: port === daemonPort ? path : `/proxy/${port}${path}`,
    user_context: callerContext(ctx, found, session, role),
    entry: port === daemonPort && speaks(input) ? entryOf(session, method, path) : null,
  }
}

/** True for prompts, answers to the agent, and all other requests that change what its runtime does. */
function speaks({ method, upgrade = false }: ProxyInput): boolean {
  return upgrade || (method !== 'GET' && method !== 'HEAD')
}

function entryOf(session: sessions.SessionView, method: string, path: string): AuditEntry {
  return { ...ofSession('callRuntime', session, `runtime${plainPath(path)}`), details: { method } }
}

function noSuchSandbox(): ServiceError {
  return new ServiceError('not_found', 'There is no such sandbox; the session has the external_id of its own')
}

/** A sandbox that the caller may not see gets the same answer as a missing one, in every word. */
async function visible(
  ctx: Pick<Context, 'db' | 'principal' | 'trail'>,
  key: { project_id: string; session_id: string },
): Promise<AccessibleProject> {
  const { principal, trail } = ctx
  const elsewhere =
    (principal.type === 'session' && principal.session_id !== key.session_id) ||
    ('project_id' in principal && principal.project_id !== key.project_id)
  if (elsewhere) {
    if (trail) trail.denied = true
    throw noSuchSandbox()
  }
  return requireProject(ctx, key.project_id, 'project.session.read').catch((error: unknown) => {
    throw error instanceof ServiceError && error.code === 'not_found' ? noSuchSandbox() : error
  })
}

function isReadOnly(method: string, path: string): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const plain = plainPath(path)
  return plain === '/svc/health' || plain.startsWith('/svc/runtime/')
}

/** Acts of the daemon that a caller who drives its session may ask for. */
const acts: ReadonlySet<string> = new Set(['/svc/refresh', '/svc/abort'])

/** `/svc/*` and `/proxy/*` are the daemon's own; people reach its health, the runtime, its acts, and other ports by their number. */
function isDaemonControl(method: string, path: string): boolean {
  const plain = plainPath(path)
  if (plain === '/svc/health' || plain.startsWith('/svc/runtime/')) return false
  if (method === 'POST' && acts.has(plain)) return false
  return /^\/(svc|proxy)(\/|$)/i.test(plain)
}

/** Normalised as the most lenient parser would do it, so that no other spelling of a path gets past a check. */
function plainPath(path: string): string {
  const [plain = ''] = path.split('?')
  return new URL(decoded(plain).replace(/[\\/]+/g, '/'), 'http://sandbox').pathname
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
