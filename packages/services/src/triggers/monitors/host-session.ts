import { startsAreOpen } from '@svc/context'
import { type MonitorHostRow, monitorHosts, type ProjectRow, sandboxes, sessions } from '@svc/db'
import type { SandboxEndpoint } from '@svc/sandbox'
import { endpointOf } from '../../sandboxes/endpoint.ts'
import { backOffMs } from '@svc/timing'
import { changeStatus } from '../../sessions/change-status.ts'
import { insertSession } from '../../sessions/creation/insert-session.ts'
import { removeSession } from '../../sessions/remove-session.ts'
import { sessionRecord } from '../../sessions/creation/session-record.ts'
import { serviceKey } from '../../sandboxes/provision/service-key.ts'
import type { MonitorContext, MonitorSettings } from './settings.ts'
import type { WantedMonitors } from './wanted.ts'

export type HostSandbox =
  | {
      readonly kind: 'ready'
      readonly host: MonitorHostRow
      readonly session_id: string
      readonly endpoint: SandboxEndpoint
      readonly service_key: string
    }
  /** On its way; asked again after so long, or when something is told of the session. */
  | { readonly kind: 'wait'; readonly session_id: string | null; readonly ms: number }

type HostContext = Pick<
  MonitorContext,
  'db' | 'now' | 'newId' | 'enqueue' | 'vault' | 'maintenance' | 'metrics'
>

export const monitorsName = 'monitors'
const lookAgainMs = 1_000
const maintainedMs = 10_000
const maxBackoffSeconds = 300
/** A sandbox that has lasted so long was worth its start. */
const provenSeconds = 60

/**
 * The sandbox of a project's monitors: that of a system session, without an agent and without a place in the account's
 * cap. One that ended is started again, one that failed is replaced, each start later than the one before.
 */
export async function hostSandbox(
  ctx: HostContext,
  held: monitorHosts.HeldHost,
  project: ProjectRow,
  { grant }: Pick<WantedMonitors, 'grant'>,
  { second_ms }: Pick<MonitorSettings, 'second_ms'>,
): Promise<HostSandbox> {
  const host = await ctx.db.transaction().execute((tx) => monitorHosts.hold(tx, held))
  const session = host.session_id === null ? undefined : await sessions.findById(ctx.db, host.session_id)
  const now = ctx.now()
  if (session !== undefined && session.deleted_at === null) {
    const { session_id } = session
    if (session.status === 'running') return running(ctx, { host, held, project, session, grant, second_ms })
    if (session.status === 'provisioning') return { kind: 'wait', session_id, ms: lookAgainMs }
    if (!startsAreOpen(ctx)) return { kind: 'wait', session_id, ms: maintainedMs }
    if (host.retry_at !== null && host.retry_at > now)
      return { kind: 'wait', session_id, ms: host.retry_at.getTime() - now.getTime() }
    if (session.status === 'failed') await removeSession(ctx, session)
    else {
      await resume(ctx, held, host, session_id, second_ms)
      return { kind: 'wait', session_id, ms: lookAgainMs }
    }
  }
  if (!startsAreOpen(ctx)) return { kind: 'wait', session_id: null, ms: maintainedMs }
  if (host.retry_at !== null && host.retry_at > now)
    return { kind: 'wait', session_id: null, ms: host.retry_at.getTime() - now.getTime() }
  const session_id = await begin(ctx, held, host, { project, grant, second_ms })
  return { kind: 'wait', session_id, ms: lookAgainMs }
}

/** The next start comes later, unless this one lasts. */
function counted(
  { now }: Pick<HostContext, 'now' | 'metrics'>,
  { failures }: MonitorHostRow,
  second_ms: number,
) {
  const wait_ms = backOffMs(failures, second_ms, maxBackoffSeconds * second_ms)
  return { failures: failures + 1, retry_at: new Date(now().getTime() + wait_ms) }
}

interface Beginning {
  readonly project: ProjectRow
  readonly grant: WantedMonitors['grant']
  readonly second_ms: number
}

async function begin(
  ctx: HostContext,
  held: monitorHosts.HeldHost,
  host: MonitorHostRow,
  { project, grant, second_ms }: Beginning,
): Promise<string> {
  const session_id = ctx.newId()
  const { account_id, project_id, created_by, default_branch } = project
  await ctx.db.transaction().execute(async (tx) => {
    await monitorHosts.hold(tx, held)
    await insertSession(ctx, tx, {
      session_id,
      account_id,
      project_id,
      created_by,
      initial_prompt: null,
      session: sessionRecord({
        base_ref: default_branch,
        model: null,
        name: 'Monitors',
        metadata: {},
        origin: 'system',
        origin_ref: monitorsName,
        agent: { agent_name: monitorsName },
        // Each command is given the secrets of its own agent.
        power: { grant, merge_granted: false, secrets: [], connectors: [] },
        starter: null,
        requested: { monitors: true },
      }),
    })
    await monitorHosts.patch(tx, held, { session_id, ...counted(ctx, host, second_ms) })
  })
  await ctx.enqueue('session', 'sandbox.provision', { session_id })
  return session_id
}

async function resume(
  ctx: HostContext,
  held: monitorHosts.HeldHost,
  host: MonitorHostRow,
  session_id: string,
  second_ms: number,
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    await monitorHosts.hold(tx, held)
    if (!(await changeStatus(ctx, tx, session_id, 'start', {}))) return
    await sandboxes.apply(tx, session_id, 'resume', {}, ctx.now())
    await monitorHosts.patch(tx, held, counted(ctx, host, second_ms))
  })
  await ctx.enqueue('session', 'sandbox.provision', { session_id })
}

interface Running extends Beginning {
  readonly held: monitorHosts.HeldHost
  readonly host: MonitorHostRow
  readonly session: sessions.SessionView
}

async function running(
  ctx: HostContext,
  { held, host, project, session, grant, second_ms }: Running,
): Promise<HostSandbox> {
  const { session_id, project_id } = session
  const sandbox = await sandboxes.find(ctx.db, session_id)
  if (!sandbox?.endpoint || sandbox.sealed_service_key === null)
    return { kind: 'wait', session_id, ms: lookAgainMs }
  if (session.agent_grant.join() !== grant.join())
    await sessions.patch(ctx.db, { project_id, session_id }, { agent_grant: JSON.stringify(grant) })
  const proven = (host.retry_at?.getTime() ?? 0) + provenSeconds * second_ms
  if (host.failures > 0 && ctx.now().getTime() > proven)
    await ctx.db.transaction().execute((tx) => monitorHosts.patch(tx, held, { failures: 0, retry_at: null }))
  const endpoint = endpointOf(ctx, project, sandbox)
  return { kind: 'ready', host, session_id, endpoint, service_key: serviceKey(ctx, project, sandbox) }
}

/** Nothing is to run any more: the sandbox goes, and the row after it. */
export async function endHost(ctx: HostContext, held: monitorHosts.HeldHost): Promise<void> {
  const host = await ctx.db.transaction().execute((tx) => monitorHosts.hold(tx, held))
  const session = host.session_id === null ? undefined : await sessions.findById(ctx.db, host.session_id)
  if (session !== undefined && session.deleted_at === null) await removeSession(ctx, session)
  await monitorHosts.remove(ctx.db, held)
}
