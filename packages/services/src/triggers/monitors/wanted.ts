import { createHash } from 'node:crypto'
import { type Capability, durationMs } from '@svc/facts'
import type { monitorHost } from '@svc/contract'
import { type ProjectRow, type ProjectTriggerRow, triggerCatalogues } from '@svc/db'
import { monitorLimits } from '@svc/trigger'
import type { z } from 'zod'
import { secretEnvironment } from '../../secrets/environment.ts'
import { definitionOf } from '../definition.ts'
import type { MonitorContext, MonitorSettings } from './settings.ts'

type MonitorSpec = z.infer<typeof monitorHost.MonitorSpec>

export interface WantedMonitors {
  readonly specs: readonly MonitorSpec[]
  /** The same revision means the same commands with the same environments. */
  readonly revision: string
  readonly commit: string | null
  /**
   * The capabilities that the agents of all of them have, and to read the repository: a shared sandbox must not have
   * more.
   */
  readonly grant: readonly Capability[]
}

/**
 * The monitors that the sandbox is to run for these rows, with the secrets that a session of each one's agent would
 * get.
 */
export async function wantedMonitors(
  ctx: Pick<MonitorContext, 'db' | 'vault'>,
  project: ProjectRow,
  rows: readonly ProjectTriggerRow[],
  { second_ms }: Pick<MonitorSettings, 'second_ms'>,
): Promise<WantedMonitors> {
  const scaled = (text: string | null) => {
    const ms = text === null ? null : durationMs(text)
    return ms === null ? null : (ms / 1_000) * second_ms
  }
  const specs: MonitorSpec[] = []
  for (const row of rows) {
    const trigger = definitionOf(row)
    if (trigger.type !== 'monitor') continue
    const allowed = row.agent?.secrets ?? []
    const { values } = await secretEnvironment(ctx, project, allowed === 'all' ? undefined : allowed)
    specs.push({
      slug: trigger.slug,
      run: trigger.run,
      mode: trigger.mode,
      interval_ms: scaled(trigger.interval),
      expect_within_ms: scaled(trigger.expect_event_within),
      restart_first_ms: (monitorLimits.restart_first_ms / 1_000) * second_ms,
      filter: trigger.filter,
      environment: {
        ...values,
        SVC_AGENT_NAME: trigger.agent,
        SVC_PROJECT_SECRET_NAMES: Object.keys(values).join(','),
      },
    })
  }
  const commit = (await triggerCatalogues.find(ctx.db, project.project_id))?.tip_sha ?? null
  const revision = createHash('sha256').update(JSON.stringify(specs)).digest('base64url')
  return { specs, revision, commit, grant: commonGrant(rows) }
}

function commonGrant(rows: readonly ProjectTriggerRow[]): Capability[] {
  const grants = rows.map((row) => row.agent?.grant ?? [])
  const common = (grants[0] ?? []).filter((capability) => grants.every((grant) => grant.includes(capability)))
  return [...new Set<Capability>(['project.gitops.read', ...common])]
}
