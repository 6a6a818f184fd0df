import { audited, type AuditEntry, requireProject } from '@svc/context'
import { type TriggerFireRow, triggerFires } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { ofTriggers } from './audit.ts'
import { cronWords } from './cron-words.ts'
import { type AgainContext, fireDelivery } from './webhooks/deliveries.ts'
import { answerOf, type FireAnswer, firedBy, type FiredBy, ownMs, runOwn } from './fire-manually.ts'
import { getTriggerRow, type TriggerInput } from './list.ts'

export interface ReplayInput extends TriggerInput {
  readonly fire_id: string
}

/**
 * Fires an occurrence of the ledger again, as a row of its own that names it: a slot or a delivery with the trigger as it
 * is now, what a person or a monitor said word for word. Also while paused or disabled: a person asks for it.
 */
export async function replayTriggerFire(ctx: AgainContext, input: ReplayInput): Promise<FireAnswer> {
  const project = await requireProject(ctx, input.project_id, 'project.trigger.fire')
  const by = firedBy(ctx)
  const fire = await triggerFires.find(ctx.db, input.fire_id)
  if (fire?.project_id !== input.project_id || fire.slug !== input.slug)
    throw new ServiceError('not_found', 'There is no such fire in the ledger of this trigger; list its fires')
  if (fire.retry_at !== null)
    throw new ServiceError('conflict', `The fire is ${fire.status}: it still gets its session by itself`)
  const entry = ofTriggers('replayTriggerFire', project, `${input.slug}/fires/${input.fire_id}`)
  const asked = { fire, by, entry }
  return fire.type === 'webhook' ? replayDelivery(ctx, asked) : replayRendered(ctx, asked)
}

interface AskedReplay {
  readonly fire: TriggerFireRow
  readonly by: FiredBy
  readonly entry: AuditEntry
}

async function replayDelivery(ctx: AgainContext, { fire, ...asked }: AskedReplay): Promise<FireAnswer> {
  const { project_id, slug, receipt_id, fire_id } = fire
  if (receipt_id === null)
    throw new ServiceError(
      'conflict',
      'The delivery of this fire is no longer kept; fire the trigger instead',
    )
  return fireDelivery(ctx, { ...asked, project_id, slug, receipt_id, replay_of: fire_id })
}

async function replayRendered(ctx: AgainContext, { fire, by, entry }: AskedReplay): Promise<FireAnswer> {
  const { project_id, slug, type, scheduled_at } = fire
  const now = ctx.now()
  const again = await renderedAgain(ctx, fire, now)
  if (again === 'filter') return { status: 'skipped', reason: 'filter' }
  const fire_id = ctx.newId()
  const row = {
    ...again,
    fire_id,
    project_id,
    slug,
    type,
    occurrence: fire_id,
    scheduled_at,
    status: 'pending',
    planned_session_id: ctx.newId(),
    ...by,
    replay_of: fire.fire_id,
    retry_at: new Date(now.getTime() + ownMs),
    created_at: now,
  } as const
  await audited(ctx, { ...entry, details: { fire_id } }, (tx) => triggerFires.insert(tx, row))
  return answerOf(await runOwn(ctx, fire_id))
}

interface Rendered {
  readonly prompt: string
  readonly session_key: string
}

async function renderedAgain(
  ctx: AgainContext,
  fire: TriggerFireRow,
  fired_at: Date,
): Promise<Rendered | 'filter'> {
  const row = await getTriggerRow(ctx, fire)
  if (fire.type !== 'cron') {
    const { prompt, session_key } = fire
    if (prompt === null)
      throw new ServiceError(
        'conflict',
        'The prompt of this fire is no longer kept; fire the trigger instead',
      )
    return { prompt, session_key }
  }
  const words = cronWords(row, fired_at)
  if (words === null)
    throw new ServiceError('conflict', 'The trigger is no schedule any more; fire it by hand instead')
  const { wanted, ...rendered } = words
  return wanted ? rendered : 'filter'
}
