import type { SandboxPrincipal } from '@svc/access'
import { type Context, forbidden, turnTrace, unauthorized } from '@svc/context'
import { type Db, sandboxes, sessionEvents, sessionPrompts, sessions } from '@svc/db'
import type { sandboxIdentity } from '@svc/contract'
import type { z } from 'zod'
import { withoutArchived } from '../../archive/find-archived.ts'
import { measureHarnessTurn, measureUnread } from '../../harnesses/measure-harness.ts'
import { noteRuntime } from '../../harnesses/note-runtime.ts'
import { edgeOf } from '../edge.ts'
import { isPassing, passOn, passOnNow } from '../../sessions/log/deltas.ts'
import { logEvents } from '../../sessions/log/log-events.ts'

export type TurnReport = z.infer<typeof sandboxIdentity.TurnStreamBody> & { readonly project_id: string }

interface Recorded {
  readonly ok: true
  readonly lease_expires_at?: string | null
  /** The request that the sandbox sends to its provider with each renewal, where the provider wants to hear it. */
  readonly provider_url?: string
  readonly provider_headers?: Readonly<Record<string, string>>
}

/** Records what a sandbox reports of itself; a sandbox speaks for its own session alone. */
export async function reportTurnStream(
  ctx: Pick<
    Context,
    'db' | 'principal' | 'now' | 'vault' | 'metrics' | 'settings' | 'pubsub' | 'objects' | 'log' | 'tracing'
  >,
  report: TurnReport,
): Promise<Recorded> {
  const sandbox = requireOwnSandbox(ctx, report)
  const { session_id } = sandbox
  const now = ctx.now()
  switch (report.kind) {
    case 'runtime_session': {
      const { runtime_session_id } = report
      await patchOwn(ctx.db, sandbox, { runtime_session_id, updated_at: now })
      return { ok: true }
    }
    case 'execution_heartbeat':
      return renewLease(ctx, sandbox, new Date(now.getTime() + report.lease_ttl_seconds * 1000))
    case 'execution_lease_release':
      return setLease(ctx, sandbox, null)
    case 'execution_lease_discover': {
      const row = await sandboxes.find(ctx.db, session_id)
      return { ok: true, lease_expires_at: row?.lease_expires_at?.toISOString() ?? null }
    }
    case 'turn_begin':
      await moveTurn(ctx, sandbox, report.prompt_id, { state: 'begin' })
      return { ok: true }
    case 'turn_end': {
      const { status, error, stop_reason, first_token_ms } = report
      await moveTurn(
        ctx,
        sandbox,
        report.prompt_id,
        {
          state: 'end',
          status,
          error: error?.replaceAll('\0', '') ?? null,
          ...(stop_reason === undefined ? {} : { stop_reason: stop_reason.replaceAll('\0', '') }),
        },
        first_token_ms,
      )
      return { ok: true }
    }
    case 'runtime_info': {
      const { kind: _kind, project_id: _project, ...info } = report
      await noteRuntime(ctx, sandbox, info)
      return { ok: true }
    }
    case 'events':
      await recordEvents(ctx, sandbox, report.events)
      return { ok: true }
  }
}

export function requireOwnSandbox(
  ctx: Pick<Context, 'principal'>,
  of: { readonly project_id: string; readonly session_id?: string },
): SandboxPrincipal {
  const { principal } = ctx
  if (principal.type !== 'sandbox')
    throw forbidden(
      'sandbox.report',
      'Only a sandbox service key reaches this route; use the routes of the session',
    )
  if (
    principal.project_id !== of.project_id ||
    (of.session_id !== undefined && principal.session_id !== of.session_id)
  ) {
    throw forbidden(
      'sandbox.report',
      'This sandbox service key belongs to another session; use the one of this sandbox',
    )
  }
  return principal
}

/**
 * A sandbox may be replaced after its request was let in: then its reports are no longer the session's, and no rows
 * are written for it.
 */
export async function requireStillOwn(tx: Db, own: SandboxPrincipal): Promise<void> {
  if (!(await sandboxes.isOwn(tx, own))) throw unauthorized()
}

/** Adds to the log what a sandbox tells. */
export async function appendEvents(
  ctx: Pick<Context, 'db' | 'metrics' | 'settings'>,
  own: SandboxPrincipal,
  events: readonly sessionEvents.NewSessionEvent[],
): Promise<void> {
  if (events.length === 0) return
  await ctx.db.transaction().execute(async (tx) => {
    const held = await sessions.lock(tx, own.session_id)
    await requireStillOwn(tx, own)
    const fresh = await logEvents(
      ctx,
      tx,
      own.session_id,
      events.map((event) => withExpiry(ctx, event)),
      held,
    )
    await measureUnread(ctx, tx, own.session_id, fresh)
  })
}

/** An ask with the time at which its daemon gives it up, whichever report tells of it first. */
function withExpiry(
  { settings }: Pick<Context, 'settings'>,
  event: sessionEvents.NewSessionEvent,
): sessionEvents.NewSessionEvent {
  const { type, at, payload } = event
  if ((type !== 'question' && type !== 'permission') || payload['state'] !== 'asked') return event
  const expires_at = new Date(at.getTime() + settings.ask_timeout_seconds * 1000).toISOString()
  return { ...event, payload: { ...payload, expires_at } }
}

async function patchOwn(db: Db, own: SandboxPrincipal, values: Parameters<typeof sandboxes.patchOwn>[2]) {
  if (!(await sandboxes.patchOwn(db, own, values))) throw unauthorized()
}

async function setLease(
  ctx: Pick<Context, 'db' | 'now'>,
  sandbox: SandboxPrincipal,
  until: Date | null,
): Promise<Recorded> {
  await patchOwn(ctx.db, sandbox, { lease_expires_at: until, last_active_at: ctx.now() })
  return { ok: true, lease_expires_at: until?.toISOString() ?? null }
}

async function renewLease(
  ctx: Pick<Context, 'db' | 'now' | 'vault'>,
  sandbox: SandboxPrincipal,
  until: Date,
): Promise<Recorded> {
  const recorded = await setLease(ctx, sandbox, until)
  const row = await sandboxes.find(ctx.db, sandbox.session_id)
  const edge = row ? await edgeOf(ctx, sandbox.project_id, row) : null
  return edge === null ? recorded : { ...recorded, provider_url: edge.url, provider_headers: edge.headers }
}

type Turn =
  | { readonly state: 'begin' }
  | {
      readonly state: 'end'
      readonly status: 'completed' | 'error' | 'aborted' | 'interrupted'
      readonly error: string | null
      readonly stop_reason?: string
    }

async function moveTurn(
  ctx: Pick<Context, 'db' | 'now' | 'metrics' | 'tracing'>,
  sandbox: SandboxPrincipal,
  prompt_id: string | undefined,
  turn: Turn,
  first_token_ms?: number,
): Promise<void> {
  const { session_id } = sandbox
  const now = ctx.now()
  await ctx.db.transaction().execute(async (tx) => {
    await sessions.lock(tx, session_id)
    await patchOwn(tx, sandbox, { last_active_at: now })
    if (prompt_id !== undefined) {
      const key = { session_id, prompt_id }
      const running = turn.state === 'end' ? await sessionPrompts.findRunning(tx, key) : undefined
      const moved =
        turn.state === 'begin'
          ? await sessionPrompts.apply(tx, key, 'begin', now)
          : await sessionPrompts.apply(tx, key, turn.status === 'completed' ? 'complete' : 'fail', now, turn)
      // A report that arrives twice, or after the turn was given up, changes nothing.
      if (!moved && !(await isNews(tx, key, turn))) return
      if (turn.state === 'end' && running !== undefined) measureTurn(ctx, sandbox, running, turn, now)
    }
    if (turn.state === 'end') await measureHarnessTurn(ctx, tx, session_id, { ...turn, first_token_ms })
    await sessions.countWake(tx, session_id, 0)
    await logEvents(ctx, tx, session_id, [
      { type: 'turn', at: now, payload: { prompt_id: prompt_id ?? null, ...turn } },
    ])
  })
}

function measureTurn(
  ctx: Pick<Context, 'metrics' | 'tracing'>,
  { project_id, session_id }: SandboxPrincipal,
  running: sessionPrompts.RunningTurn,
  { status: outcome }: Extract<Turn, { state: 'end' }>,
  now: Date,
): void {
  const { prompt_id, began_at } = running
  ctx.metrics.observe('svc_turn_duration_seconds', { outcome }, (now.getTime() - began_at.getTime()) / 1000)
  const { parent, link, ids } = turnTrace(running)
  const attributes = {
    'svc.project_id': project_id,
    'svc.session_id': session_id,
    'svc.prompt_id': prompt_id,
    'svc.outcome': outcome,
  }
  ctx.tracing
    ?.begin({ name: 'turn', kind: 'internal', parent, link, ids, began_at, attributes })
    .end({ failed: outcome === 'error' })
}

/** A prompt that went to the daemon directly has no row, but its turn is logged all the same: the log knows its state. */
async function isNews(tx: Db, key: sessionPrompts.PromptKey, { state }: Turn): Promise<boolean> {
  if (await sessionPrompts.find(tx, key)) return false
  return (await sessionEvents.turnState(tx, key)) !== state
}

type ReportedEvents = Extract<TurnReport, { kind: 'events' }>['events']

async function recordEvents(
  ctx: Pick<Context, 'db' | 'now' | 'metrics' | 'settings' | 'pubsub' | 'objects' | 'log'>,
  sandbox: SandboxPrincipal,
  events: ReportedEvents,
): Promise<void> {
  const { session_id } = sandbox
  const now = ctx.now()
  const deltas = events.filter(({ type }) => isPassing(type))
  if (deltas.length > 0)
    passOn(
      ctx,
      session_id,
      deltas.map(({ payload }) => payload),
    )
  const stored = events
    .filter(({ type }) => !isPassing(type) && type !== 'turn' && type !== 'status' && type !== 'prompt')
    // An event from a sandbox whose clock is ahead gets the time of now.
    .map(({ type, at, payload, event_id }) => ({ type, at: earlier(new Date(at), now), payload, event_id }))
  if (stored.length > 0) await passOnNow(ctx, session_id)
  await appendEvents(ctx, sandbox, await withoutArchived(ctx, session_id, stored, now))
  const checkpoint = stored.findLast(({ type }) => type === 'checkpoint')
  if (checkpoint !== undefined) await noteCheckpoint(ctx.db, sandbox, checkpoint)
}

/** Work that could not be saved is owed until it is, and the row says since when. */
async function noteCheckpoint(
  db: Db,
  sandbox: SandboxPrincipal,
  { payload, at }: Pick<ReportedEvents[number], 'payload'> & { readonly at: Date },
): Promise<void> {
  if (payload['state'] === 'failed') await sandboxes.oweCheckpoint(db, sandbox, at)
  else await patchOwn(db, sandbox, { unsaved_since: null })
}

function earlier(one: Date, other: Date): Date {
  return one < other ? one : other
}
