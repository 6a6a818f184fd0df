import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { body, json, PageQuery, ProjectParams, refusals, text, Timestamp } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { ProjectId } from '../kit/parameters.ts'
import {
  CreateTrigger,
  FireAnswer,
  Trigger,
  TriggerDelivery,
  TriggerFire,
  TriggerList,
  TriggerProposal,
  UpdateTrigger,
} from './trigger-records.ts'

export {
  CreateTrigger,
  FireAnswer,
  Trigger,
  TriggerDelivery,
  TriggerFire,
  TriggerList,
  TriggerProposal,
  UpdateTrigger,
}

const common = { tags: ['Triggers'] }
const base = '/v1/projects/{project_id}/triggers'

const Slug = z.string().min(1).max(128).openapi({ description: 'The slug of the trigger in the manifest' })
export const TriggerParams = z.object({ project_id: ProjectId, slug: Slug })
const proposed = json(
  TriggerProposal,
  'A session asked for it: the edit waits in a change request for a person',
)
const FireParams = TriggerParams.extend({
  fire_id: z.uuid().openapi({ description: 'The fire, by the id that the ledger gave it' }),
})
const DeliveryParams = TriggerParams.extend({
  receipt_id: z.uuid().openapi({ description: 'The delivery, by the id that the log gave it' }),
})

export const listTriggers = createRoute({
  ...common,
  operationId: 'listTriggers',
  ...reachedBy({ capability: 'project.trigger.read' }),
  summary: 'List the triggers of the default branch',
  description: 'Entries of the manifest that cannot be used are in `errors`, beside the ones that work.',
  method: 'get',
  path: base,
  request: { params: ProjectParams },
  responses: {
    200: json(TriggerList, 'The triggers, in the order of the manifest'),
    ...refusals(400, 403, 404),
  },
})

export const createTrigger = createRoute({
  ...common,
  operationId: 'createTrigger',
  ...reachedBy({ capability: 'project.trigger.create' }),
  summary: 'Commit a new trigger to the manifest on the default branch',
  description:
    'Comments and the order of `svc.yaml` stay. 409 when the slug is taken, 400 when the entry is not valid.',
  method: 'post',
  path: base,
  request: { params: ProjectParams, body: body(CreateTrigger) },
  responses: { 201: json(Trigger, 'Committed'), 202: proposed, ...refusals(400, 403, 404, 409, 415, 422) },
})

export const setTriggerActivation = createRoute({
  ...common,
  operationId: 'setTriggerActivation',
  ...reachedBy({ capability: 'project.trigger.update' }),
  summary: 'Pause or resume what fires by itself',
  description:
    'Schedules, webhooks and monitors of the whole project; firing by hand still works. A trigger may have this slug: a body of `updateTrigger` changes that one.',
  method: 'patch',
  path: `${base}/activation`,
  request: {
    params: ProjectParams,
    body: body(
      z
        .strictObject({ paused: z.boolean() })
        .openapi('TriggerActivation', { example: examples.triggerActivation }),
    ),
  },
  responses: {
    200: json(z.object({ triggers_paused: z.boolean() }), 'As it is now'),
    ...refusals(400, 403, 404, 415),
  },
})

export const getTrigger = createRoute({
  ...common,
  operationId: 'getTrigger',
  ...reachedBy({ capability: 'project.trigger.read' }),
  summary: 'Read a trigger',
  description: 'As the default branch has it, with when it fires next and what became of the last fire.',
  method: 'get',
  path: `${base}/{slug}`,
  request: { params: TriggerParams },
  responses: { 200: json(Trigger, 'The trigger'), ...refusals(400, 403, 404) },
})

export const updateTrigger = createRoute({
  ...common,
  operationId: 'updateTrigger',
  ...reachedBy({ capability: 'project.trigger.update' }),
  summary: 'Change a trigger in the manifest on the default branch',
  description: 'Only the given fields; `null` takes one away. Without a difference no commit is made.',
  method: 'patch',
  path: `${base}/{slug}`,
  request: { params: TriggerParams, body: body(UpdateTrigger) },
  responses: { 200: json(Trigger, 'As it is now'), 202: proposed, ...refusals(400, 403, 404, 409, 415, 422) },
})

export const deleteTrigger = createRoute({
  ...common,
  operationId: 'deleteTrigger',
  ...reachedBy({ capability: 'project.trigger.delete' }),
  summary: 'Take a trigger out of the manifest on the default branch',
  description: 'What it did stays in its ledger.',
  method: 'delete',
  path: `${base}/{slug}`,
  request: { params: TriggerParams },
  responses: {
    200: json(z.object({ slug: z.string(), deleted: z.literal(true) }), 'Committed'),
    202: proposed,
    ...refusals(400, 403, 404, 409, 422),
  },
})

export const fireTrigger = createRoute({
  ...common,
  operationId: 'fireTrigger',
  ...reachedBy({ capability: 'project.trigger.fire' }),
  summary: 'Fire a trigger by hand',
  description:
    'Also while it is disabled or the project is paused. `text` is `{{ message.text }}` in the prompt. 422 `TRIGGER_CANNOT_FIRE` says what is missing.',
  method: 'post',
  path: `${base}/{slug}/fire`,
  request: {
    params: TriggerParams,
    body: body(
      z
        .strictObject({ text: text(64 * 1024).optional() })
        .openapi('FireTrigger', { example: examples.fireTrigger }),
      false,
    ),
  },
  responses: { 202: json(FireAnswer, 'What became of it'), ...refusals(400, 402, 403, 404, 415, 422) },
})

export const previewTrigger = createRoute({
  ...common,
  operationId: 'previewTrigger',
  ...reachedBy({ capability: 'project.trigger.read' }),
  summary: 'The next five fires of a schedule',
  description: 'Computed from its expression and its time zone, whether it is enabled or not.',
  method: 'get',
  path: `${base}/{slug}/preview`,
  request: { params: TriggerParams },
  responses: {
    200: json(z.object({ next_fires: z.array(Timestamp) }), 'Soonest first; none without a schedule'),
    ...refusals(400, 403, 404),
  },
})

export const listTriggerFires = createRoute({
  ...common,
  operationId: 'listTriggerFires',
  ...reachedBy({ capability: 'project.trigger.read' }),
  summary: 'The ledger of a trigger, newest first',
  description: 'One row for each occurrence: what was due, what became of it, and in which session.',
  method: 'get',
  path: `${base}/{slug}/fires`,
  request: { params: TriggerParams, query: PageQuery },
  responses: {
    200: json(z.object({ fires: z.array(TriggerFire), next_cursor: z.string().nullable() }), 'One page'),
    ...refusals(400, 403, 404),
  },
})

export const replayTriggerFire = createRoute({
  ...common,
  operationId: 'replayTriggerFire',
  ...reachedBy({ capability: 'project.trigger.fire' }),
  summary: 'Fire an occurrence of the ledger again',
  description:
    'A new row whose `replay_of` names it. A slot or a delivery is rendered with the trigger as it is now, a fire by hand or of a monitor word for word. 409 while the fire is still owed its session, or when what it was made of is no longer kept.',
  method: 'post',
  path: `${base}/{slug}/fires/{fire_id}/replay`,
  request: { params: FireParams },
  responses: { 202: json(FireAnswer, 'What became of it'), ...refusals(400, 402, 403, 404, 409, 422) },
})

export const listTriggerDeliveries = createRoute({
  ...common,
  operationId: 'listTriggerDeliveries',
  ...reachedBy({ capability: 'project.trigger.read' }),
  summary: 'What came for a webhook, newest first',
  description: 'Refused deliveries as well, with the reason; of those up to 100 an hour are kept.',
  method: 'get',
  path: `${base}/{slug}/deliveries`,
  request: { params: TriggerParams, query: PageQuery },
  responses: {
    200: json(
      z.object({ deliveries: z.array(TriggerDelivery), next_cursor: z.string().nullable() }),
      'One page',
    ),
    ...refusals(400, 403, 404),
  },
})

export const redeliverTrigger = createRoute({
  ...common,
  operationId: 'redeliverTrigger',
  ...reachedBy({ capability: 'project.trigger.fire' }),
  summary: 'Fire a delivery of a webhook again',
  description:
    'As if it came once more, with the trigger as it is now; `redelivery_of` of the new delivery names it. 409 for one whose body is not kept, such as a refused one.',
  method: 'post',
  path: `${base}/{slug}/deliveries/{receipt_id}/redeliver`,
  request: { params: DeliveryParams },
  responses: { 202: json(FireAnswer, 'What became of it'), ...refusals(400, 402, 403, 404, 409, 422) },
})
