import type { BaseContext } from '@svc/context'
import { backups, gatewayBreakers, measures, owedWork, readSchema } from '@svc/db'
import { liveSessionStatuses, maintenanceModes } from '@svc/facts'

/** Says in the metrics what rows say: how much is owed and since when, and what is live. */
export async function measureRows(
  ctx: Pick<BaseContext, 'db' | 'metrics' | 'now' | 'maintenance'>,
): Promise<void> {
  const { db, metrics } = ctx
  const [owed, sessions, sandboxes, backup_at, breakers] = await Promise.all([
    owedWork.count(db, ctx.now()),
    measures.liveSessions(db),
    measures.liveSandboxes(db),
    backups.lastSuccess(db),
    gatewayBreakers.countOpen(db),
  ])
  metrics.set('svc_backup_last_success_timestamp_seconds', {}, (backup_at?.getTime() ?? 0) / 1000)
  for (const [state, rows] of Object.entries(breakers)) metrics.set('svc_model_breakers', { state }, rows)
  const { mode: current } = ctx.maintenance()
  for (const mode of maintenanceModes) metrics.set('svc_maintenance', { mode }, mode === current ? 1 : 0)
  for (const { work, rows, oldest_seconds } of owed) {
    metrics.set('svc_owed_rows', { work }, rows)
    metrics.set('svc_owed_oldest_seconds', { work }, oldest_seconds)
  }
  const rowsOf = new Map(sessions.map(({ status, rows }) => [status, rows]))
  for (const status of [...liveSessionStatuses, 'waiting'])
    metrics.set('svc_sessions', { status }, rowsOf.get(status) ?? 0)
  metrics.replace(
    'svc_sandboxes',
    sandboxes.map(({ provider, state, rows }) => ({
      labels: { provider: provider ?? 'none', state },
      value: rows,
    })),
  )
}

/** Counts the migrations that ran with other statements than this build holds. */
export async function measureSchema({ db, metrics }: Pick<BaseContext, 'db' | 'metrics'>): Promise<void> {
  const { drifted } = await readSchema(db)
  metrics.set('svc_schema_drifted_migrations', {}, drifted.length)
}
