import type { Outages } from '@svc/boot'
import { type MonitorHostRow, monitorHosts } from '@svc/db'
import type { MonitorContext, MonitorSettings } from './settings.ts'

/** The way of a scheduler to the sandbox of a project's monitors. */
export interface Reach {
  /** It has not been reached since then; null while it is. */
  since: Date | null
  readonly outages: Outages
}

interface Reaching {
  readonly held: monitorHosts.HeldHost
  readonly settings: Pick<MonitorSettings, 'second_ms'>
  readonly reach: Reach
}

/** A daemon that starts, or is busy, is reached sooner. */
const unreachedSeconds = 30

const partOf = ({ project_id }: monitorHosts.HeldHost): string =>
  `the sandbox of the monitors of ${project_id}`

/** Says on the project's monitors that their sandbox is not reached, once that has lasted. */
export async function noteUnreached(
  ctx: Pick<MonitorContext, 'db' | 'now'>,
  { held, settings, reach }: Reaching,
  { unreached }: Pick<MonitorHostRow, 'unreached'>,
  error: unknown,
): Promise<void> {
  // Not to be taken for the database's: its own refusals look the same.
  reach.outages.failed(partOf(held), new Error('The sandbox of monitors did not answer', { cause: error }))
  const now = ctx.now()
  reach.since ??= now
  const lasts = now.getTime() - reach.since.getTime() >= unreachedSeconds * settings.second_ms
  if (!lasts || unreached !== null) return
  await patch(ctx, held, textOf(reach.since, error))
}

export async function noteReached(
  ctx: Pick<MonitorContext, 'db'>,
  { held, reach }: Reaching,
  { unreached }: Pick<MonitorHostRow, 'unreached'>,
): Promise<void> {
  reach.outages.worked(partOf(held))
  reach.since = null
  if (unreached !== null) await patch(ctx, held, null)
}

async function patch(
  { db }: Pick<MonitorContext, 'db'>,
  held: monitorHosts.HeldHost,
  unreached: string | null,
): Promise<void> {
  await db.transaction().execute((tx) => monitorHosts.patch(tx, held, { unreached }))
}

/** For the people of the project: without addresses, which are in the log. */
function textOf(since: Date, error: unknown): string {
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'no answer'
  return `The scheduler has not reached the sandbox that the monitors run in since ${since.toISOString()} (${code}). Ask the operator of the platform: the scheduler's log says why.`
}
