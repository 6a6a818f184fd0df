import { sessionConnections } from '@svc/connectors/sessions'
import { backupPlan, type BackupSettings, sweepBackups } from '@svc/backup'
import type { Metrics } from '@svc/boot'
import { identityPlaces } from '@svc/identity/sealed-places'
import { sweepOAuth } from '@svc/identity/sweeps'
import { sweepCheckRuns } from '@svc/operator'
import {
  every,
  measureQueue,
  type ObjectStoreEnv,
  type Platform,
  storeKeys,
  watchFolder,
} from '@svc/platform'
import {
  admitWaitingSessions,
  archiveAges,
  makeEventMonths,
  measureRows,
  measureSchema,
  outagesOf,
  type RetentionSettings,
  servicePlaces,
  startMonitorSupervisor,
  startTriggerScheduler,
  sweepAbandoned,
  sweepEventArchive,
  sweepEvictions,
  sweepIdleSandboxes,
  sweepOldRecords,
  sweepOwedSecrets,
  sweepOwedWork,
  sweepPreviews,
  sweepSessionBranches,
  sweepStoppedSandboxes,
  sweepTriggerHistory,
  sweepUndelivered,
  type triggerEnv,
} from '@svc/services'
import {
  type SpendSettings,
  reportBudgetAlerts,
  sessionModels,
  sumUpOldCalls,
  sweepBodies,
  sweepCalls,
} from '@svc/spend'
import type { z } from 'zod'
import { untilAborted } from '@svc/timing'
import manifest from '../package.json' with { type: 'json' }

export interface Scheduler {
  /** Seconds that the oldest due trigger or owed fire is late; 0 when nothing is. */
  lagSeconds(): Promise<number>
  /** Waits for what runs, until `force`: what a sweep leaves undone is owed and found by the next. */
  close(force?: AbortSignal): Promise<void>
}

const promptMs = 2_000
const sweepMs = 5_000
const idleMs = 15_000
const measureMs = 15_000
const historyMs = 600_000
const dayMs = 24 * 3_600_000

/** It says how many rows it acted on. */
type Sweep = readonly [name: string, ms: number, sweep: () => Promise<number>]

export type SchedulerSettings = z.infer<z.ZodObject<typeof triggerEnv>> &
  RetentionSettings &
  BackupSettings &
  ObjectStoreEnv &
  SpendSettings

interface Surroundings {
  readonly metrics?: Metrics
  /** The address of the database for what belongs to one connection, as the snapshot of a backup does. */
  readonly database_url: string
}

/** The clock of the platform. Any number may run: a sweep only repeats what rows say is owed. */
export function startScheduler(
  { ctx: given, locks, queue, folders }: Pick<Platform, 'ctx' | 'locks' | 'queue' | 'folders'>,
  settings: SchedulerSettings,
  { metrics, database_url }: Surroundings,
): Scheduler {
  const ctx = { ...given, session_models: sessionModels(given), session_connections: sessionConnections }
  const outages = outagesOf(ctx.log)
  const triggers = startTriggerScheduler(ctx, {
    interval_ms: settings.SVC_TRIGGER_SCHEDULER_INTERVAL_MS,
    catch_up_ms: settings.SVC_TRIGGER_CATCH_UP_SECONDS * 1000,
    outages,
  })
  const lagSeconds = async () => (await triggers.lag()) / 1000
  metrics?.beforeRender(async () => metrics.set('svc_trigger_lag_seconds', {}, await lagSeconds()))
  const kept = {
    fires_ms: settings.SVC_TRIGGER_HISTORY_DAYS * dayMs,
    deliveries_ms: settings.SVC_TRIGGER_DELIVERIES_DAYS * dayMs,
  }
  const ages = archiveAges(settings)
  const stopped_ms = settings.SVC_STOPPED_SANDBOX_DAYS * dayMs
  const branches_ms = settings.SVC_SESSION_BRANCH_DAYS * dayMs
  const monitors = startMonitorSupervisor(ctx, {}, outages)
  const stop = new AbortController()
  const sweeps: readonly Sweep[] = [
    ['prompts', promptMs, () => sweepUndelivered(ctx)],
    ['waiting sessions', promptMs, () => admitWaitingSessions(ctx)],
    ['owed work', sweepMs, () => sweepOwedWork(ctx)],
    ['owed secrets', sweepMs, () => sweepOwedSecrets(ctx)],
    ['runs of checks', sweepMs, () => sweepCheckRuns(ctx)],
    ['model calls', sweepMs, () => sweepCalls(ctx)],
    ['budget alerts', promptMs, () => reportBudgetAlerts(ctx)],
    ['idle sandboxes', idleMs, () => sweepIdleSandboxes(ctx)],
    ['evictions', sweepMs, () => sweepEvictions(ctx)],
    ['abandoned sessions', idleMs, () => sweepAbandoned(ctx)],
    ['trigger history', historyMs, () => sweepTriggerHistory(ctx, kept)],
    ['apps', historyMs, () => sweepOAuth(ctx)],
    ['ended previews', historyMs, () => sweepPreviews(ctx)],
    ['months of events', historyMs, () => makeEventMonths(ctx)],
    ['old records', historyMs, () => sweepOldRecords({ ...ctx, locks }, settings, stop.signal)],
    ['old model calls', historyMs, () => sumUpOldCalls(ctx, settings.SVC_GATEWAY_LOG_DAYS, stop.signal)],
    ['bodies of model calls', historyMs, () => sweepBodies(ctx, stop.signal)],
    ['stopped sandboxes', historyMs, () => sweepStoppedSandboxes(ctx, stopped_ms)],
    ['session branches', historyMs, () => sweepSessionBranches(ctx, branches_ms, stop.signal)],
    ['archive of events', historyMs, () => sweepEventArchive({ ...ctx, locks }, ages, stop.signal)],
  ]
  const plan = backupPlan(settings, {
    keys: storeKeys(settings),
    read_url: database_url,
    places: [...servicePlaces, ...identityPlaces],
    version: manifest.version,
  })
  const backups: readonly Sweep[] =
    plan === null ? [] : [['backups', sweepMs, () => sweepBackups({ ...ctx, locks }, plan)]]
  const loop = (ms: number, name: string, work: () => Promise<unknown>) => every({ ms, work, outages, name })
  const loops = [
    ...[...sweeps, ...backups].map(([name, ms, sweep]) =>
      loop(ms, `the sweep for ${name}`, () => measured(ctx, name, sweep)),
    ),
    loop(measureMs, 'the count of rows', () => measureRows(ctx)),
    loop(measureMs, 'the count of jobs', () => measureQueue(queue, ctx.metrics, ctx.now())),
    loop(historyMs, 'the look at the schema', () => measureSchema(ctx)),
  ]
  const unwatch = watchFolder(folders.repositories, (bytes) =>
    ctx.metrics.set('svc_repository_bytes', { store: 'folder' }, bytes),
  )
  // Told when the connection for messages is back after a loss, and so is the database: the pauses have grown meanwhile.
  const unsubscribe = ctx.listener.subscribe('triggers', (payload) => {
    if (payload === null) for (const { retry } of loops) retry()
  })
  return {
    lagSeconds,
    close: async (force = new AbortController().signal) => {
      stop.abort()
      unsubscribe()
      unwatch()
      const closed = Promise.all([triggers.close(), monitors.close(), ...loops.map((one) => one.stop())])
      await untilAborted(closed, force)
    },
  }
}

async function measured(
  { metrics }: Pick<Platform['ctx'], 'metrics'>,
  name: string,
  sweep: Sweep[2],
): Promise<void> {
  const began = performance.now()
  const labels = { sweep: name.replaceAll(' ', '_') }
  const rows = await sweep()
  metrics.observe('svc_sweep_duration_seconds', labels, (performance.now() - began) / 1000)
  metrics.count('svc_sweep_rows_total', labels, rows)
}
