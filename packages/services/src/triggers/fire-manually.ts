import { audited, type Context, requireActor, requireProject } from '@svc/context'
import { triggerFires } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { manualPayload, renderPrompt, renderSessionKey } from '@svc/trigger'
import { ofTriggers } from './audit.ts'
import { tryRefreshCatalogue } from './catalogue.ts'
import { definitionOf } from './definition.ts'
import { getTriggerRow, type TriggerInput } from './list.ts'
import type { FireOutcome } from './start-fire.ts'
import { runFire } from './run-fire.ts'

/** Time that a fire is left to the caller who asked for it before a scheduler takes it up. */
export const ownMs = 15_000

export type FireAnswer =
  | { readonly status: 'fired'; readonly session_id: string }
  | { readonly status: 'queued'; readonly reason: string }
  | { readonly status: 'skipped'; readonly reason: string }

/** Fires now, also while paused or disabled: a person asks for it. The filter and the overlap are not asked. */
export async function fireTrigger(
  ctx: Pick<
    Context,
    | 'db'
    | 'principal'
    | 'repositories'
    | 'vault'
    | 'now'
    | 'newId'
    | 'trail'
    | 'signal'
    | 'settings'
    | 'maintenance'
    | 'session_models'
    | 'session_connections'
    | 'enqueue'
    | 'log'
    | 'metrics'
  >,
  input: TriggerInput & { readonly text?: string | undefined },
): Promise<FireAnswer> {
  const project = await requireProject(ctx, input.project_id, 'project.trigger.fire')
  const by = firedBy(ctx)
  await tryRefreshCatalogue(ctx, project)
  const { project_id, slug } = input
  const trigger = definitionOf(await getTriggerRow(ctx, input))
  const now = ctx.now()
  const payload = manualPayload({
    slug,
    type: trigger.type,
    fired_at: now,
    actor: by.actor,
    text: input.text ?? '',
  })
  const fire_id = ctx.newId()
  const row = {
    fire_id,
    project_id,
    slug,
    type: 'manual',
    occurrence: fire_id,
    scheduled_at: now,
    status: 'pending',
    planned_session_id: ctx.newId(),
    prompt: renderPrompt(trigger.prompt, payload, 'manual'),
    session_key: renderSessionKey(trigger.session_key, payload),
    ...by,
    retry_at: new Date(now.getTime() + ownMs),
    created_at: now,
  } as const
  await audited(ctx, { ...ofTriggers('fireTrigger', project, slug), details: { fire_id } }, (tx) =>
    triggerFires.insert(tx, row),
  )
  return answerOf(await runOwn(ctx, fire_id))
}

/** The asker of a fire, as the ledger keeps it: the person, and the session whose agent asked in their name. */
export function firedBy(ctx: Pick<Context, 'principal' | 'trail'>): FiredBy {
  const { principal } = ctx
  return {
    actor: requireActor(ctx),
    actor_session_id: principal.type === 'session' ? principal.session_id : null,
  }
}

export interface FiredBy {
  readonly actor: string
  readonly actor_session_id: string | null
}

/** The fire is kept: a scheduler tries it again when it fails now. */
export async function runOwn(ctx: Parameters<typeof runFire>[0], fire_id: string): Promise<FireOutcome> {
  try {
    return (await runFire(ctx, fire_id)) ?? { kind: 'queued', reason: 'pending' }
  } catch (error) {
    ctx.log.warn({ err: error, fire_id }, 'a fire is left to the scheduler')
    return { kind: 'queued', reason: 'pending' }
  }
}

export function answerOf(outcome: FireOutcome): FireAnswer {
  switch (outcome.kind) {
    case 'fired':
      return { status: 'fired', session_id: outcome.session_id }
    case 'queued':
    case 'skipped':
      return { status: outcome.kind, reason: outcome.reason }
    case 'failed':
      throw outcome.error ?? new ServiceError('TRIGGER_CANNOT_FIRE', outcome.reason)
    case 'missed':
      throw new ServiceError('TRIGGER_CANNOT_FIRE', outcome.reason)
  }
}
