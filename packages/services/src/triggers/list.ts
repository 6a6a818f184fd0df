import { type Context, decodeCursor, encodeCursor, requireProject } from '@svc/context'
import { type ProjectTriggerRow, triggerCatalogues, triggerFires, triggers } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { nextSlots } from '@svc/trigger'
import { z } from 'zod'
import { tryRefreshCatalogue } from './catalogue.ts'
import { definitionOf, scheduleOf } from './definition.ts'
import { shownMonitor, shownMonitors } from './monitors/shown.ts'
import { presentFire, presentTrigger } from './present.ts'

type ReadContext = Pick<
  Context,
  'db' | 'principal' | 'repositories' | 'vault' | 'now' | 'signal' | 'settings'
>

export interface TriggerInput {
  readonly project_id: string
  readonly slug: string
}

/** The triggers of the default branch as it is now, or as it was when the repository last answered. */
export async function listTriggers(ctx: ReadContext, input: { project_id: string }) {
  const project = await requireProject(ctx, input.project_id, 'project.trigger.read')
  await tryRefreshCatalogue(ctx, project)
  const [rows, shown, catalogue] = await Promise.all([
    triggers.list(ctx.db, input.project_id),
    shownMonitors(ctx, input.project_id),
    triggerCatalogues.find(ctx.db, input.project_id),
  ])
  return {
    triggers: rows.map((row) => presentTrigger(ctx.settings, row, shown.get(row.slug) ?? null)),
    triggers_paused: catalogue?.paused ?? false,
    errors: catalogue?.errors ?? [],
  }
}

export async function getTrigger(ctx: ReadContext, input: TriggerInput) {
  const project = await requireProject(ctx, input.project_id, 'project.trigger.read')
  await tryRefreshCatalogue(ctx, project)
  const row = await getTriggerRow(ctx, input)
  return presentTrigger(ctx.settings, row, await shownMonitor(ctx, row))
}

export async function getTriggerRow(ctx: Pick<Context, 'db'>, key: TriggerInput): Promise<ProjectTriggerRow> {
  const row = await triggers.find(ctx.db, key)
  if (!row)
    throw new ServiceError(
      'not_found',
      `There is no trigger ${JSON.stringify(key.slug)}; list those of the project`,
    )
  return row
}

const previewed = 5

/** The time at which a trigger would fire next, were nothing paused. */
export async function previewTrigger(ctx: ReadContext, input: TriggerInput) {
  const project = await requireProject(ctx, input.project_id, 'project.trigger.read')
  await tryRefreshCatalogue(ctx, project)
  const schedule = scheduleOf(definitionOf(await getTriggerRow(ctx, input)))
  return { next_fires: schedule === null ? [] : nextSlots(schedule, ctx.now(), previewed) }
}

export interface PageInput extends TriggerInput {
  readonly limit: number
  readonly cursor?: string | undefined
}

const FireCursor = z.object({ at: z.coerce.date(), id: z.uuid() })

/** The ledger of a trigger, newest first; of one that left the manifest as well. */
export async function listTriggerFires(ctx: Pick<Context, 'db' | 'principal'>, input: PageInput) {
  const { project_id, slug, limit } = input
  const cursor = input.cursor === undefined ? undefined : decodeCursor(FireCursor, input.cursor)
  await requireProject(ctx, project_id, 'project.trigger.read')
  const before = cursor && { created_at: cursor.at, fire_id: cursor.id }
  const rows = await triggerFires.list(ctx.db, { project_id, slug, limit: limit + 1, before })
  if (rows.length === 0) await getTriggerRow(ctx, input)
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    fires: page.map(presentFire),
    next_cursor: last ? encodeCursor({ at: last.created_at, id: last.fire_id }) : null,
  }
}
