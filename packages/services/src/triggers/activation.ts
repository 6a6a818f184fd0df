import { triggerCatalogues, triggers } from '@svc/db'
import { requireProject } from '../access/require.ts'
import type { Context } from '../context.ts'
import { definitionOf } from './definition.ts'
import { nextFireOf } from './next-fire.ts'

/** Pauses what fires by itself, or lets it go on: with the slots to come, not with those that passed. */
export async function setTriggerActivation(
  ctx: Pick<Context, 'db' | 'principal' | 'now'>,
  input: { project_id: string; paused: boolean },
) {
  const { project_id, paused } = input
  await requireProject(ctx, project_id, 'project.trigger.update')
  const now = ctx.now()
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await triggerCatalogues.setPaused(tx, project_id, paused, now))) return
    for (const row of await triggers.list(tx, project_id)) {
      const trigger = definitionOf(row)
      if (trigger.type !== 'cron') continue
      const at = nextFireOf(trigger, undefined, paused, now)
      // A one-off instant that passed while everything was paused stays passed.
      const next_fire_at = at !== null && at > now ? at : null
      await triggers.patch(tx, row, { next_fire_at, due_at: next_fire_at })
    }
    await triggers.told(tx, project_id)
  })
  return { triggers_paused: paused }
}
