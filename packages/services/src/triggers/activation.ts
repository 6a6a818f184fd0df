import { audited, type Context, requireProject } from '@svc/context'
import { triggerCatalogues, triggers } from '@svc/db'
import { ofTriggers } from './audit.ts'
import { definitionOf } from './definition.ts'
import { nextFireOf } from './next-fire.ts'

/** Pauses the triggers that fire by themselves, or resumes them: with the slots to come, not with those that passed. */
export async function setTriggerActivation(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'newId' | 'trail'>,
  input: { project_id: string; paused: boolean },
) {
  const { project_id, paused } = input
  const project = await requireProject(ctx, project_id, 'project.trigger.update')
  const now = ctx.now()
  const entry = { ...ofTriggers('setTriggerActivation', project, 'activation'), details: { paused } }
  await audited(ctx, entry, async (tx) => {
    if (!(await triggerCatalogues.setPaused(tx, project_id, paused, now))) return null
    for (const row of await triggers.list(tx, project_id)) {
      const trigger = definitionOf(row)
      if (trigger.type !== 'cron') continue
      const at = nextFireOf(trigger, undefined, paused, now)
      // A one-off instant that passed while everything was paused stays passed.
      const next_fire_at = at !== null && at > now ? at : null
      await triggers.patch(tx, row, { next_fire_at, due_at: next_fire_at })
    }
    await triggers.notifyChanged(tx, project_id)
    return null
  })
  return { triggers_paused: paused }
}
