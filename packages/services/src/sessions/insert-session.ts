import {
  type Db,
  jsonb,
  sandboxes,
  sessionEvents,
  sessionPrompts,
  sessions,
  type WaitingSession,
} from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { BaseContext } from '../context.ts'

export interface NewSession {
  readonly session_id: string
  readonly account_id: string
  readonly project_id: string
  readonly created_by: string
  readonly session: WaitingSession
  readonly initial_prompt: string | null
}

/** The rows of a session that is about to get its sandbox. */
export async function insertSession(
  ctx: Pick<BaseContext, 'now' | 'newId'>,
  tx: Db,
  input: NewSession,
): Promise<void> {
  const { session_id, account_id, project_id, created_by, session, initial_prompt } = input
  const now = ctx.now()
  if (await sessions.findById(tx, session_id)) {
    throw new ServiceError('SESSION_ID_TAKEN', 'There is already a session with this session_id')
  }
  await sessions.insert(tx, {
    ...session,
    session_id,
    account_id,
    project_id,
    branch_name: session_id,
    status: 'provisioning',
    stop_reason: null,
    failure: null,
    agent_grant: JSON.stringify(session.agent_grant),
    metadata: jsonb(session.metadata),
    labels: [...session.labels],
    requested: jsonb(session.requested),
    created_by,
    created_at: now,
    updated_at: now,
    provisioning_at: now,
    started_at: null,
    stopped_at: null,
    deleted_at: null,
  })
  await sandboxes.insert(tx, {
    session_id,
    provider: null,
    external_id: null,
    status: 'provisioning',
    endpoint: null,
    service_key_hash: null,
    sealed_service_key: null,
    runtime_session_id: null,
    error: null,
    lease_expires_at: null,
    last_active_at: now,
    created_at: now,
    updated_at: now,
  })
  const payload = { status: 'provisioning', stop_reason: null, failure: null }
  const prompt = initial_prompt === null ? [] : [await insertInitialPrompt(ctx, tx, input, initial_prompt)]
  await sessionEvents.append(tx, session_id, [{ type: 'status', at: now, payload }, ...prompt])
}

/** The event that tells of it comes back. */
async function insertInitialPrompt(
  ctx: Pick<BaseContext, 'now' | 'newId'>,
  tx: Db,
  { session_id, created_by, session }: NewSession,
  text: string,
): Promise<sessionEvents.NewSessionEvent> {
  const now = ctx.now()
  const prompt_id = ctx.newId()
  const fired = session.origin === 'trigger'
  await sessionPrompts.insert(tx, {
    prompt_id,
    session_id,
    text,
    source: fired ? 'trigger' : 'initial',
    agent: null,
    model: null,
    error: null,
    dedupe_key: 'initial',
    created_by,
    created_at: now,
    updated_at: now,
  })
  const payload = { prompt_id, text, source: fired ? 'trigger' : 'user' }
  return { type: 'prompt', at: now, payload }
}
