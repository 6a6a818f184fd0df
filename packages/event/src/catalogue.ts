import { z } from 'zod'

const session = {
  session_id: z.uuid(),
  status: z.string().describe('Of the session, at that moment'),
  agent_name: z.string(),
  origin: z.string().describe('Who or what started it, such as `user` or `trigger`'),
  stop_reason: z.string().nullable(),
  failure_category: z.string().nullable(),
}

const changeRequest = z.object({
  cr_id: z.uuid(),
  number: z.int(),
  title: z.string(),
  status: z.string(),
  base_ref: z.string(),
  head_ref: z.string(),
  merge_commit_sha: z.string().nullable(),
  origin_session_id: z.uuid().nullable(),
})

const trigger = z.object({
  slug: z.string().nullable().describe('Null for all triggers of the project at once'),
  type: z.string().nullable(),
  fire_id: z.uuid().nullable(),
  session_id: z.uuid().nullable(),
  reason: z.string().nullable(),
})

const budget = z.object({
  budget: z.object({
    budget_id: z.uuid(),
    name: z.string(),
    level: z.string(),
    subject: z.string().nullable(),
    period: z.string(),
  }),
  threshold: z.int().describe('Percent of the cap'),
  cap_micros: z.int().describe('Micro-dollars'),
  spent_micros: z.int().describe('Micro-dollars'),
  session_id: z.uuid().nullable(),
})

const approval = z.object({
  call_id: z.uuid(),
  slug: z.string().describe('The connector'),
  action: z.string(),
  status: z.string().describe('Of the approval, or of the call once it was carried out'),
  session_id: z.uuid().nullable(),
})

const app = z.object({
  app: z.string().describe('Its name in the manifest'),
  number: z.int().nullable().describe('Of the release; null for an app without one'),
  commit_sha: z.string().nullable(),
  url: z.string().nullable().describe('The address of the app; null where apps have none'),
  failure_category: z.string().nullable(),
})

/** Every type of event, with the shape of its `data`: ids, states and names, never prompts, code or secrets. */
export const catalogue = {
  'session.created': { text: 'A session was created', data: z.object(session) },
  'session.running': { text: 'A session has its sandbox and works', data: z.object(session) },
  'session.stopped': { text: 'A session stopped; its work is kept', data: z.object(session) },
  'session.failed': { text: 'A session could not go on', data: z.object(session) },
  'session.deleted': { text: 'A session was deleted', data: z.object(session) },
  'session.turn_ended': {
    text: 'A turn of an agent ended',
    data: z.object({ ...session, prompt_id: z.uuid(), outcome: z.enum(['done', 'failed']) }),
  },
  'session.waiting': {
    text: 'An agent waits for an answer',
    data: z.object({ ...session, request_id: z.string(), ask: z.enum(['question', 'permission']) }),
  },
  'cr.opened': { text: 'A change request was opened', data: changeRequest },
  'cr.merged': { text: 'A change request was merged', data: changeRequest },
  'cr.closed': { text: 'A change request was closed without a merge', data: changeRequest },
  'cr.reopened': { text: 'A closed change request was opened again', data: changeRequest },
  'cr.changes_requested': { text: 'A person asked for changes', data: changeRequest },
  'cr.merge_failed': { text: 'A merge was refused', data: changeRequest.extend({ code: z.string() }) },
  'trigger.fired': { text: 'A trigger started or steered a session', data: trigger },
  'trigger.failed': { text: 'A fire of a trigger came to nothing', data: trigger },
  'trigger.paused': { text: 'A trigger, or all of a project, fires no more', data: trigger },
  'trigger.resumed': { text: 'A trigger, or all of a project, fires again', data: trigger },
  'budget.alert': { text: 'Spending passed a threshold of a budget', data: budget },
  'budget.exceeded': { text: 'A budget is spent', data: budget },
  'approval.requested': { text: 'A call of a connector waits for a person', data: approval },
  'approval.decided': { text: 'A person approved or denied a call', data: approval },
  'approval.expired': { text: 'No person decided in time', data: approval },
  'approval.executed': { text: 'An approved call was carried out, or failed', data: approval },
  'app.switched': { text: 'The address of an app shows another release', data: app },
  'app.release.failed': { text: 'A release of an app failed', data: app },
  'app.stopped': { text: 'A person stopped an app', data: app },
  'app.crashed': { text: 'The program of an app ended by itself, or was lost', data: app },
  ping: { text: 'A trial of one subscription', data: z.object({ subscription_id: z.uuid() }) },
} as const

export type EventType = keyof typeof catalogue
export type EventData<T extends EventType> = z.infer<(typeof catalogue)[T]['data']>

/** The types in the order of the catalogue. */
export const eventTypes = Object.keys(catalogue) as readonly EventType[]

export const isEventType = (type: string): type is EventType => Object.hasOwn(catalogue, type)

/** An event as the platform sends and lists it, discriminated by `type`. */
export type PlatformEvent = {
  readonly [T in EventType]: {
    readonly type: T
    /** ISO 8601: when it happened. */
    readonly timestamp: string
    /** `evt_` and 26 characters; the same on every retry and replay. */
    readonly id: string
    readonly account_id: string
    readonly project_id: string | null
    /** Its place among the events of the account, without gaps. */
    readonly sequence: number
    readonly data: EventData<T>
  }
}[EventType]
