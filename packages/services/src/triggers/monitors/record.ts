import { counted } from '@svc/facts'
import type { monitorHost } from '@svc/contract'
import {
  type Db,
  monitorHosts,
  monitors,
  type ProjectMonitorRow,
  type ProjectTriggerRow,
  StaleHost,
  triggerCatalogues,
  triggerFires,
  triggers,
} from '@svc/db'
import type { MonitorTrigger } from '@svc/manifest'
import {
  type EventBudget,
  matchesFilter,
  type MonitorFire,
  monitorPayload,
  renderPrompt,
  renderSessionKey,
  spendEvent,
} from '@svc/trigger'
import type { z } from 'zod'
import { definitionOf } from '../definition.ts'
import { type FireOutcome, startFire } from '../start-fire.ts'
import { enqueueFired, inBoundedTransaction } from '../run-fire.ts'
import { settleFire } from '../settle-fire.ts'
import type { MonitorContext } from './settings.ts'

export type MonitorReport = z.infer<typeof monitorHost.MonitorReport>
type Entry = MonitorReport['entries'][number]

/**
 * Takes over what a monitor handed over, in order: ledger row, session and the cursor of each are one transaction. False
 * when one could not be written now: it stays with the sandbox, and so does what comes after it.
 */
export async function recordReport(
  ctx: MonitorContext,
  held: monitorHosts.HeldHost,
  report: MonitorReport,
  signal: AbortSignal,
): Promise<boolean> {
  const { project_id } = held
  try {
    let last = 0
    for (const entry of report.entries) {
      if (signal.aborted) return true
      // Each has a moment of its own, by which the ledger and whatever waits keep their order.
      last = Math.max(ctx.now().getTime(), last + 1)
      const at = new Date(last)
      const then = { ...ctx, now: () => at }
      const outcome = await inBoundedTransaction(ctx, (tx) => recordEntry(then, tx, held, report, entry))
      await enqueueFired(ctx, outcome)
    }
    await noteState(ctx, held, report)
    return true
  } catch (error) {
    if (error instanceof StaleHost) throw error
    ctx.log.warn({ err: error, project_id, slug: report.slug }, 'an event of a monitor was put off')
    return false
  }
}

async function noteState(
  { db }: MonitorContext,
  held: monitorHosts.HeldHost,
  report: MonitorReport,
): Promise<void> {
  const { slug, state, last_line_at, last_exit } = report
  if (state === 'paused') return
  await db.transaction().execute(async (tx) => {
    await monitorHosts.hold(tx, held)
    const row = await monitors.lock(tx, { ...held, slug })
    if (row?.epoch !== report.epoch) return
    const line = last_line_at === null ? row.last_line_at : new Date(last_line_at)
    const exit = last_exit?.replaceAll('\0', '') ?? row.last_exit
    const same =
      row.state === state && row.last_exit === exit && row.last_line_at?.getTime() === line?.getTime()
    if (!same) await monitors.patch(tx, row, { state, last_line_at: line, last_exit: exit })
  })
}

async function recordEntry(
  ctx: MonitorContext,
  tx: Db,
  held: monitorHosts.HeldHost,
  { slug, epoch }: MonitorReport,
  entry: Entry,
): Promise<FireOutcome | null> {
  await monitorHosts.hold(tx, held)
  const row = await triggers.lock(tx, { ...held, slug })
  const monitor = await monitors.lock(tx, { ...held, slug })
  if (!row || monitor?.epoch !== epoch || entry.seq <= monitor.seq) return null
  const known = { ctx, tx, row, monitor, entry }
  if (entry.text === null)
    return suppress(known, entry.seq - Math.max(monitor.seq, entry.first_seq - 1), budgetOf(monitor))
  const paused = !row.enabled || (await triggerCatalogues.find(tx, held.project_id))?.paused === true
  // Ends of a stream are bounded already, and must not be lost in a storm of events.
  const isFree = paused || entry.lifecycle === 'exit' || entry.lifecycle === 'restart_budget_exhausted'
  const spent = isFree ? null : spendEvent(budgetOf(monitor), ctx.now())
  if (spent?.admitted === false) return suppress(known, 1, spent.budget)
  const outcome = await fireEvent(ctx, tx, {
    row,
    occurrence: `${epoch}:${entry.seq}`,
    paused,
    said: {
      slug,
      seq: entry.seq,
      emitted_at: new Date(entry.at),
      text: entry.text,
      lifecycle: entry.lifecycle,
    },
  })
  const listened = { suppressed_fire_id: null, suppressed_lines: 0 }
  await monitors.patch(tx, monitor, {
    seq: entry.seq,
    ...(spent === null ? {} : { ...columnsOf(spent.budget), ...listened }),
  })
  return outcome
}

interface EntryContext {
  readonly ctx: MonitorContext
  readonly tx: Db
  readonly row: ProjectTriggerRow
  readonly monitor: ProjectMonitorRow
  readonly entry: Entry
}

/** A storm is one row of the ledger, which counts. */
async function suppress(
  { ctx, tx, row, monitor, entry }: EntryContext,
  lines: number,
  budget: EventBudget,
): Promise<null> {
  const suppressed_lines = monitor.suppressed_lines + lines
  const reason = `suppressed: ${counted(suppressed_lines, 'line')}`
  let fire_id = monitor.suppressed_fire_id
  if (fire_id === null) {
    fire_id = ctx.newId()
    const occurrence = `${monitor.epoch}:${entry.seq}`
    await triggerFires.insert(tx, {
      ...ledgerRow(ctx, row, fire_id, occurrence, new Date(entry.at)),
      status: 'skipped',
      reason,
    })
  } else await monitors.recount(tx, fire_id, reason)
  await monitors.patch(tx, monitor, {
    seq: entry.seq,
    ...columnsOf(budget),
    suppressed_fire_id: fire_id,
    suppressed_lines,
    suppressed_total: monitor.suppressed_total + lines,
  })
  return null
}

export interface MonitorEvent {
  readonly row: ProjectTriggerRow
  readonly occurrence: string
  readonly said: MonitorFire
  readonly paused: boolean
}

/** One occurrence, in the ledger and in its session. Null when it is there already. */
export async function fireEvent(
  ctx: MonitorContext,
  tx: Db,
  { row, occurrence, said, paused }: MonitorEvent,
): Promise<FireOutcome | null> {
  const trigger = monitorOf(row)
  if (trigger === null) return null
  const payload = monitorPayload(said)
  const fire = await triggerFires.insert(tx, {
    ...ledgerRow(ctx, row, ctx.newId(), occurrence, said.emitted_at),
    status: 'pending',
    prompt: renderPrompt(trigger.prompt, payload, 'monitor'),
    session_key: renderSessionKey(trigger.session_key, payload),
    retry_at: ctx.now(),
  })
  if (fire === undefined) return null
  const refused = paused ? 'paused' : matchesFilter(trigger.filter, payload) ? null : 'filter'
  const outcome: FireOutcome =
    refused === null ? await startFire(ctx, tx, fire, row) : { kind: 'skipped', reason: refused }
  return settleFire(ctx, tx, fire, outcome, ctx.now())
}

function monitorOf(row: ProjectTriggerRow): MonitorTrigger | null {
  const trigger = definitionOf(row)
  return trigger.type === 'monitor' ? trigger : null
}

function budgetOf({ tokens, tokens_at, suppressed_until }: ProjectMonitorRow): EventBudget {
  return { tokens, at: tokens_at, suppressed_until }
}

function columnsOf({ tokens, at, suppressed_until }: EventBudget) {
  return { tokens, tokens_at: at, suppressed_until }
}

function ledgerRow(
  ctx: Pick<MonitorContext, 'now' | 'newId'>,
  { project_id, slug }: ProjectTriggerRow,
  fire_id: string,
  occurrence: string,
  emitted_at: Date,
) {
  const now = ctx.now()
  return {
    fire_id,
    project_id,
    slug,
    type: 'monitor' as const,
    occurrence,
    // A sandbox whose clock is ahead does not write the future.
    scheduled_at: emitted_at < now ? emitted_at : now,
    planned_session_id: ctx.newId(),
    created_at: now,
  }
}
