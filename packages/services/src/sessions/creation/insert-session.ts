import type { BaseContext } from '@svc/context'
import { type Db, jsonb, newSessions, personalSecrets, type WaitingSession } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { defaultRuntime } from '@svc/facts'
import { firstPromptKey } from '@svc/session'
import { newPrompt } from '../prompts/new-prompt.ts'

export interface NewSession {
  readonly session_id: string
  readonly account_id: string
  readonly project_id: string
  readonly created_by: string
  readonly session: WaitingSession
  readonly initial_prompt: string | null
}

export interface OpeningTrigger {
  readonly slug: string
  readonly session_key: string
}

/**
 * The rows of a session that is about to get its sandbox. No caller can wait for one that a trigger opens. One that works
 * with connections of its owner is closed to every other person from the start.
 */
export async function insertSession(
  ctx: Pick<BaseContext, 'now' | 'newId' | 'traceparent' | 'session_connections'>,
  tx: Db,
  input: NewSession,
  opened_by: OpeningTrigger | null = null,
): Promise<void> {
  const { session_id, account_id, project_id, created_by, session, initial_prompt } = input
  const now = ctx.now()
  const first = {
    source: session.origin === 'trigger' ? 'trigger' : 'initial',
    dedupe_key: firstPromptKey,
    by: created_by,
  } as const
  const prompt =
    initial_prompt === null ? null : newPrompt(ctx, session_id, { ...first, text: initial_prompt })
  const payload = { status: 'provisioning', stop_reason: null, failure: null }
  const { harness, ...record } = session
  const written = await newSessions.insert(tx, {
    session: {
      ...record,
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
      ancestor_session_ids: [...(session.ancestor_session_ids ?? [])],
      requested: jsonb(session.requested),
      created_by,
      created_at: now,
      updated_at: now,
      provisioning_at: now,
      started_at: null,
      stopped_at: null,
      deleted_at: null,
    },
    sandbox: {
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
    },
    runtime: {
      session_id,
      harness: harness?.harness ?? session.requested.runtime ?? defaultRuntime,
      version: harness?.version ?? null,
      auth: harness?.auth ?? 'gateway',
      settings: harness === undefined ? null : jsonb(harness.settings),
      state: 'starting',
      updated_at: now,
    },
    prompt: prompt?.row ?? null,
    trigger: opened_by === null ? null : { session_id, project_id, ...opened_by, created_at: now },
    events: [{ type: 'status', at: now, payload }, ...(prompt === null ? [] : [prompt.event])],
    notifies: opened_by === null,
  })
  if (!written)
    throw new ServiceError(
      'SESSION_ID_TAKEN',
      'There is already a session with this session_id; leave it out, or give a new one',
    )
  const personal = await ctx.session_connections?.personal(tx, { ...session, project_id, created_by })
  if (personal !== undefined && personal.length > 0) await personalSecrets.claimSession(tx, session_id)
}
