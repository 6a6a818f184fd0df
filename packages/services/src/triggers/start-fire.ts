import { uuidPattern } from '@svc/facts'
import { type BaseContext, type BoundConnector, startsAreOpen } from '@svc/context'
import {
  type Db,
  projects,
  type ProjectTriggerRow,
  sessions,
  type TriggerFireRow,
  triggerBindings,
  triggerFires,
  type triggers,
  triggerSessions,
} from '@svc/db'
import type { ServiceError } from '@svc/errors'
import type { Trigger } from '@svc/manifest'
import { harnessRefusal } from '../harnesses/harness-refusal.ts'
import { resolveSessionModel } from '../models/resolve-session-model.ts'
import { hasPlace, isWithoutPlace, measureRoom } from '../sessions/creation/cap.ts'
import { insertSession } from '../sessions/creation/insert-session.ts'
import type { Prompt } from '../sessions/prompts/new-prompt.ts'
import type { OwedJob } from '../sessions/owed-jobs.ts'
import { connectionsRefusal } from '../projects/connectors-of.ts'
import { narrowedBy } from '../sessions/creation/power.ts'
import { type PutPrompt, putPrompt } from '../sessions/prompts/put-prompt.ts'
import { sessionRecord } from '../sessions/creation/session-record.ts'
import { isSelfOrDescendant } from '@svc/session'
import { definitionOf } from './definition.ts'
import { heldBack, maintained, noRoom } from './will-fire-now.ts'

export type OpenContext = Pick<
  BaseContext,
  | 'now'
  | 'newId'
  | 'settings'
  | 'maintenance'
  | 'template_refusal'
  | 'session_models'
  | 'session_connections'
  | 'metrics'
>

/** The outcome of a fire. `jobs` are owed once the transaction has ended. */
export type FireOutcome =
  | { readonly kind: 'fired'; readonly session_id: string; readonly jobs: readonly OwedJob[] }
  | { readonly kind: 'queued'; readonly reason: string }
  | { readonly kind: 'skipped'; readonly reason: string }
  /** `error` is the refusal that a caller is answered with, where it has a code of its own. */
  | { readonly kind: 'failed'; readonly reason: string; readonly error?: ServiceError }
  /** Its account was suspended at its time. */
  | { readonly kind: 'missed'; readonly reason: string }

/** Every fire of a trigger goes through here with the trigger's row locked: fires of one trigger take turns. */
export async function startFire(
  ctx: OpenContext,
  tx: Db,
  fire: TriggerFireRow,
  row: ProjectTriggerRow,
  project?: triggers.FiringProject,
): Promise<FireOutcome> {
  const found = project ?? (await projects.findWithDefaults(tx, fire.project_id))
  if (found?.status !== 'active') return { kind: 'skipped', reason: 'project_archived' }
  if (found.account_suspended) return { kind: 'missed', reason: 'account_suspended' }
  return openIn(ctx, tx, { fire, row, project: found })
}

interface Opening {
  readonly fire: TriggerFireRow
  readonly row: ProjectTriggerRow
  readonly project: triggers.FiringProject
}

async function openIn(ctx: OpenContext, tx: Db, { fire, row, project }: Opening): Promise<FireOutcome> {
  const trigger = definitionOf(row)
  if (row.agent === null)
    return { kind: 'failed', reason: row.agent_error ?? 'No agent can run this trigger' }
  const request = { project, asked: trigger.model, asked_by: 'the trigger', agent: row.agent } as const
  const resolved = await resolveSessionModel(ctx, tx, request)
  if (resolved.kind === 'unavailable') return failedWith(resolved.reason, resolved.error)
  const waits = fire.type === 'manual' ? null : await mustWait(tx, fire, trigger)
  if (waits !== null) return waits
  if (!startsAreOpen(ctx)) return maintained
  const starter = await starterOf(tx, fire)
  const known = await sessionFor(tx, fire, trigger)
  const unpaid = await ctx.session_models?.refusal(tx, {
    project_id: project.project_id,
    session_id: known?.session_id ?? fire.planned_session_id,
    agent_name: row.agent.agent_name,
    trigger_slug: trigger.slug,
    model: known === undefined ? resolved.means : (trigger.model ?? known.model ?? resolved.means),
  })
  if (unpaid) return failedWith(unpaid.message, unpaid)
  const reused =
    known === undefined
      ? null
      : await promptKnown(ctx, tx, { project, fire, session: known, model: trigger.model })
  return reused ?? openFresh(ctx, tx, { project, fire, row, model: resolved.model, starter })
}

function failedWith(reason: string, error: ServiceError | undefined): FireOutcome {
  return { kind: 'failed', reason, ...(error === undefined ? {} : { error }) }
}

async function mustWait(tx: Db, fire: TriggerFireRow, { overlap }: Trigger): Promise<FireOutcome | null> {
  return heldBack(overlap, await triggerFires.ahead(tx, fire, overlap !== 'allow'))
}

/** The session whose agent asked for the fire. */
async function starterOf(tx: Db, { actor_session_id }: TriggerFireRow): Promise<sessions.SessionView | null> {
  return actor_session_id === null ? null : ((await sessions.findById(tx, actor_session_id)) ?? null)
}

/**
 * The session that the fire goes on with; undefined opens a fresh one. An agent's fire goes on with nothing that the
 * agent could not speak to by itself.
 */
async function sessionFor(
  tx: Db,
  fire: TriggerFireRow,
  { session_mode, session_id }: Trigger,
): Promise<sessions.SessionView | undefined> {
  switch (session_mode) {
    case 'fresh':
      return undefined
    case 'keyed':
      return fire.session_key === '' ? undefined : triggerSessions.findReusable(tx, fire, fire.session_key)
    case 'reuse':
      return triggerSessions.findReusable(tx, fire)
    case 'pinned': {
      const { project_id } = fire
      const pinned =
        session_id !== null && uuidPattern.test(session_id)
          ? await sessions.find(tx, { project_id, session_id })
          : undefined
      return pinned !== undefined && isOpenTo(fire, pinned) ? pinned : triggerSessions.findReusable(tx, fire)
    }
  }
}

/** A trigger's words come from others than the owner, whose personal secrets a session may hold. */
function isOpenTo({ actor_session_id }: TriggerFireRow, session: sessions.SessionView): boolean {
  const { status, holds_personal_secrets, requested } = session
  if (status === 'failed' || holds_personal_secrets || requested.monitors) return false
  return actor_session_id === null || isSelfOrDescendant(session, actor_session_id)
}

interface PromptInput {
  readonly project: triggers.FiringProject
  readonly fire: TriggerFireRow
  readonly session: sessions.SessionView
  /** The trigger's own; the session keeps its own otherwise. */
  readonly model: string | null
}

/** Null when the session has gone since it was found. */
async function promptKnown(
  ctx: OpenContext,
  tx: Db,
  { project, fire, session, model }: PromptInput,
): Promise<FireOutcome | null> {
  const { session_id } = session
  const text = fire.prompt ?? ''
  const dedupe_key = `fire:${fire.fire_id}`
  const by = fire.actor ?? project.created_by
  const put = await putOrWait(ctx, tx, session, { text, source: 'trigger', dedupe_key, by, model })
  switch (put.kind) {
    case 'no_room':
      return noRoom
    case 'gone':
      return null
    case 'repeated':
      return { kind: 'fired', session_id, jobs: [] }
    case 'put':
      return { kind: 'fired', session_id, jobs: put.jobs }
  }
}

async function putOrWait(
  ctx: OpenContext,
  tx: Db,
  session: sessions.SessionView,
  prompt: Prompt,
): Promise<PutPrompt | { readonly kind: 'no_room' }> {
  try {
    return await putPrompt(ctx, tx, session, prompt)
  } catch (error) {
    if (isWithoutPlace(error)) return { kind: 'no_room' }
    throw error
  }
}

async function hasPlaceFor(ctx: OpenContext, tx: Db, account_id: string): Promise<boolean> {
  try {
    return hasPlace(await measureRoom(tx, ctx.settings, account_id))
  } catch (error) {
    if (isWithoutPlace(error)) return false
    throw error
  }
}

interface Fresh {
  readonly project: triggers.FiringProject
  readonly fire: TriggerFireRow
  readonly row: ProjectTriggerRow
  readonly model: string | null
  readonly starter: sessions.SessionView | null
}

/** The session's rows; the worker that brings its sandbox up cuts its branch. */
async function openFresh(
  ctx: OpenContext,
  tx: Db,
  { project, fire, row, model, starter }: Fresh,
): Promise<FireOutcome> {
  const { account_id, project_id } = project
  const { agent } = row
  if (agent === null) return { kind: 'failed', reason: 'No agent can run this trigger' }
  if (fire.actor_session_id !== null && starter === null)
    return { kind: 'failed', reason: 'The session whose agent asked for it is gone' }
  const refusal = agent.template === undefined ? null : ctx.template_refusal?.(agent.template)
  if (refusal) return { kind: 'failed', reason: refusal }
  if (!(await hasPlaceFor(ctx, tx, account_id))) return noRoom
  const { slug, name } = definitionOf(row)
  const connectors = await boundConnectors(tx, { project_id, slug }, agent.connectors ?? [])
  const power = narrowedBy(starter, { ...agent, connectors })
  const unconnected = await connectionsRefusal(ctx, tx, agent.agent_name, {
    ...{ project_id, connectors: power.connectors, required: agent.connectors_required ?? [] },
    // The words of a trigger come from others: no own connection of a person is lent to them.
    ...{ owner: null, in_person: false },
  })
  if (unconnected !== null) return failedWith(unconnected.message, unconnected)
  if (agent.harness !== undefined) {
    const asked = { project_id, owner: null, harness: agent.harness }
    const unable = await harnessRefusal(ctx, tx, asked)
    if (unable !== null) return failedWith(unable.message, unable)
  }
  const session_id = fire.planned_session_id
  const created = {
    session_id,
    account_id,
    project_id,
    created_by: fire.actor ?? project.created_by,
    initial_prompt: fire.prompt ?? '',
    session: sessionRecord({
      base_ref: project.default_branch,
      model,
      name,
      metadata: { trigger: { slug, type: fire.type, fire_id: fire.fire_id } },
      origin: 'trigger',
      origin_ref: slug,
      agent,
      power,
      starter,
    }),
  }
  await insertSession(ctx, tx, created, { slug, session_key: fire.session_key })
  return { kind: 'fired', session_id, jobs: [{ session_id, job: 'sandbox.provision' }] }
}

/** The connectors of a trigger’s agent, each with the connection that was chosen for its sessions. */
async function boundConnectors(
  tx: Db,
  key: triggers.TriggerKey,
  connectors: readonly BoundConnector[],
): Promise<readonly BoundConnector[]> {
  if (connectors.length === 0) return connectors
  const chosen = await triggerBindings.find(tx, key)
  return connectors.map((one) => ({ ...one, connection_id: chosen.get(one.slug) ?? null }))
}
