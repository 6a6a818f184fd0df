import { setTimeout as delay } from 'node:timers/promises'
import { monitorHost } from '@svc/contract'
import {
  monitorHosts,
  monitors,
  type ProjectRow,
  projects,
  type ProjectTriggerRow,
  StaleHost,
  triggers,
} from '@svc/db'
import { fullBudget } from '@svc/trigger'
import type { z } from 'zod'
import { askDaemon } from '../../sandboxes/daemon-client.ts'
import { enqueueFired, inBoundedTransaction } from '../run-fire.ts'
import { endHost, type HostSandbox, hostSandbox } from './host-session.ts'
import { noteSecrets } from './note-secrets.ts'
import { noteReached, noteUnreached, type Reach } from './reach.ts'
import { fireEvent, recordReport } from './record.ts'
import type { MonitorContext, MonitorSettings } from './settings.ts'
import { type WantedMonitors, wantedMonitors } from './wanted.ts'

type Answer = z.infer<typeof monitorHost.MonitorsAnswer>
type Ready = Extract<HostSandbox, { kind: 'ready' }>

export interface Supervised {
  readonly held: monitorHosts.HeldHost
  readonly settings: MonitorSettings
  /** Ends the work. */
  readonly signal: AbortSignal
  /** Fires once something was told of the project, or of the session that is watched. */
  readonly changes: () => AbortSignal
  readonly watch: (session_id: string | null) => void
  readonly reach: Reach
}

const afterFaultMs = 1_000
/** A project that is told of all the time is looked at so often at the most. */
const minPauseMs = 200
const answerMs = 60_000

/** One look at a project's monitors: keeps their sandbox, hears what they said, and writes it down. False: none is left. */
export async function superviseOnce(ctx: MonitorContext, supervised: Supervised): Promise<boolean> {
  const { held, settings, signal, changes, watch } = supervised
  const { project_id } = held
  // Before the look, so that what is told during it is not missed.
  const early = changes()
  const [project, rows] = await Promise.all([
    projects.find(ctx.db, project_id),
    monitors.listWanted(ctx.db, project_id),
  ])
  if (!project || rows.length === 0) {
    await endHost(ctx, held)
    return false
  }
  const wanted = await wantedMonitors(ctx, project, rows, settings)
  const sandbox = await hostSandbox(ctx, held, project, wanted, settings)
  watch(sandbox.session_id)
  if (sandbox.kind === 'wait') {
    await rest(sandbox.ms, AbortSignal.any([signal, early]))
    return true
  }
  try {
    const written = await exchange(ctx, supervised, { project, rows, wanted, sandbox, early })
    await noteReached(ctx, supervised, sandbox.host)
    if (written) return true
  } catch (error) {
    if (error instanceof StaleHost || signal.aborted) throw error
    if (early.aborted) {
      await rest(minPauseMs, signal)
      return true
    }
    await noteUnreached(ctx, supervised, sandbox.host, error)
    await ctx.enqueue('session', 'sandbox.check', { session_id: sandbox.session_id })
  }
  await rest(afterFaultMs, signal)
  return true
}

interface Round {
  readonly project: ProjectRow
  readonly rows: readonly ProjectTriggerRow[]
  readonly wanted: WantedMonitors
  readonly sandbox: Ready
  readonly early: AbortSignal
}

/** False when something could not be written down and is to be asked for again after a while. */
async function exchange(ctx: MonitorContext, supervised: Supervised, round: Round): Promise<boolean> {
  const { held, signal } = supervised
  const { project, rows, wanted, sandbox } = round
  let answer = await ask(ctx, supervised, round, false)
  if (answer.revision !== wanted.revision) {
    await noteSecrets(ctx, project, sandbox.session_id, wanted)
    answer = await ask(ctx, supervised, round, true)
  }
  if (sandbox.host.host_id !== answer.host_id)
    await noteHost(ctx, held, rows, sandbox.host.host_id, answer.host_id)
  const known = answer.monitors.filter(({ slug }) => rows.some((row) => row.slug === slug))
  // Side by side: a loud one, or one that cannot be written down, holds up none of the others.
  const written = await Promise.all(known.map((report) => recordReport(ctx, held, report, signal)))
  return written.every(Boolean)
}

async function ask(
  ctx: MonitorContext,
  { held, settings, signal }: Supervised,
  { rows, wanted, sandbox, early }: Round,
  with_specs: boolean,
): Promise<Answer> {
  const now = ctx.now()
  const { tokens, at: tokens_at } = fullBudget(now)
  const fresh = rows.map(({ slug }) => ({ slug, epoch: ctx.newId(), tokens, tokens_at }))
  const known = await monitors.ensure(ctx.db, held.project_id, fresh)
  const cursors = known
    .filter(({ slug }) => rows.some((row) => row.slug === slug))
    .map(({ slug, epoch, seq, suppressed_until }) => ({
      slug,
      epoch,
      seq,
      quiet_ms: Math.max(0, (suppressed_until?.getTime() ?? 0) - now.getTime()),
    }))
  const { revision, commit, specs } = wanted
  const body: z.infer<typeof monitorHost.MonitorsBody> = {
    revision,
    commit,
    cursors,
    wait_ms: with_specs ? 0 : settings.wait_ms,
    ...(with_specs ? { monitors: [...specs] } : {}),
  }
  const answer = await askDaemon(sandbox.endpoint, {
    method: 'POST',
    path: '/svc/monitors',
    service_key: sandbox.service_key,
    body,
    timeout_ms: settings.wait_ms + answerMs,
    signal: AbortSignal.any([signal, early]),
  })
  if (answer.status !== 200) throw new Error(`The sandbox of monitors answered ${answer.status}`)
  return monitorHost.MonitorsAnswer.parse(answer.body)
}

/** Another disk: what ran in the sandbox before was cut off, and only the platform can say so. */
async function noteHost(
  ctx: MonitorContext,
  held: monitorHosts.HeldHost,
  rows: readonly ProjectTriggerRow[],
  before: string | null,
  host_id: string,
): Promise<void> {
  const now = ctx.now()
  for (const { slug } of before === null ? [] : rows) {
    const outcome = await inBoundedTransaction(ctx, async (tx) => {
      await monitorHosts.hold(tx, held)
      const row = await triggers.lock(tx, { ...held, slug })
      const monitor = await monitors.lock(tx, { ...held, slug })
      const ran = monitor?.state === 'running' || monitor?.state === 'silent'
      if (!row || !monitor || !ran || row.definition['mode'] !== 'stream') return null
      const { epoch, seq } = monitor
      const text = 'The sandbox was lost while the command ran; it runs in another one'
      const said = { slug, seq, emitted_at: now, text, lifecycle: 'exit' as const }
      return fireEvent(ctx, tx, { row, occurrence: `${epoch}:${seq}:${host_id}`, said, paused: false })
    })
    await enqueueFired(ctx, outcome)
  }
  await ctx.db.transaction().execute((tx) => monitorHosts.patch(tx, held, { host_id }))
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await delay(Math.max(1, ms), undefined, { signal }).catch(() => undefined)
}
