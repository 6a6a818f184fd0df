import { branchName } from '@svc/change-request'
import { limits } from '@svc/contract'
import {
  jsonb,
  type ProjectRow,
  type RequestedSession,
  sandboxes,
  sessionEvents,
  sessionPrompts,
  sessions,
} from '@svc/db'
import { ServiceError } from '@svc/errors'
import { type Repository, resolveBranch } from '@svc/git'
import { requireActor, requireProject } from '../access/require.ts'
import type { Context } from '../context.ts'
import { resolveAgent, type ResolvedAgent } from '../projects/agent-of.ts'
import { manifestAt } from '../projects/read-manifest.ts'
import { openRepository } from '../projects/repository.ts'
import { baseTip, ensureBranch } from './branch.ts'
import { requireRoom } from './cap.ts'
import { checkIdempotencyKey, type CreateSessionBody, requestedSession } from './create-input.ts'
import { getSessionRow } from './find-session.ts'
import { replay, requestHash } from './idempotency.ts'
import { presentSession } from './present.ts'

export interface CreateSessionInput {
  readonly project_id: string
  readonly idempotency_key?: string | undefined
  readonly respond_async: boolean
  readonly body: CreateSessionBody
}

export type CreatedSession =
  | { readonly kind: 'created'; readonly session: ReturnType<typeof presentSession> }
  | {
      readonly kind: 'queued'
      readonly status: 'queued'
      readonly command_id: string
      readonly session_id: string
      readonly reason: string
    }

type CreateContext = Pick<
  Context,
  'db' | 'principal' | 'repositories' | 'vault' | 'settings' | 'enqueue' | 'now' | 'newId' | 'signal' | 'log'
>

/**
 * Writes the session as `provisioning`, cuts its branch and asks for its sandbox. The row comes first: whatever is not
 * done when the process dies is owed, and the sandbox-worker does it.
 */
export async function createSession(ctx: CreateContext, input: CreateSessionInput): Promise<CreatedSession> {
  const { project_id, idempotency_key, body } = input
  if (idempotency_key !== undefined) checkIdempotencyKey(idempotency_key)
  const requested = requestedSession(body)
  const project = await requireProject(ctx, project_id, 'project.session.start')

  const request_hash = requestHash(body)
  const earlier =
    idempotency_key === undefined ? null : await replay(ctx, { idempotency_key, project_id, request_hash })
  if (earlier) return { kind: 'created', session: presentSession(earlier) }

  const base_ref = branchName(body.base_ref ?? project.default_branch)
  const repository = await openRepository(ctx, project)
  await baseTip(repository, project, base_ref)
  const agent = resolveAgent(await defaultManifest(repository, project), body.agent_name)

  const session_id = body.session_id ?? ctx.newId()
  const taken = await insertSession(ctx, {
    project,
    session_id,
    base_ref,
    agent,
    requested,
    request_hash,
    input,
  })
  if (!taken && idempotency_key !== undefined) {
    const winner = await replay(ctx, { idempotency_key, project_id, request_hash })
    if (winner) return { kind: 'created', session: presentSession(winner) }
  }
  await ctx.enqueue('session', 'sandbox.provision', { session_id })

  const slow = input.respond_async
    ? 'respond_async'
    : await cutInTime(ctx, repository, project, session_id, base_ref)
  if (slow !== null)
    return { kind: 'queued', status: 'queued', command_id: session_id, session_id, reason: slow }
  return { kind: 'created', session: presentSession(await getSessionRow(ctx, { project_id, session_id })) }
}

async function defaultManifest(repository: Repository, project: ProjectRow) {
  const tip = await resolveBranch(repository, project.default_branch)
  return tip === null ? null : manifestAt(repository, tip)
}

/** Null when the branch is cut; why not, when the repository is slow. */
async function cutInTime(
  ctx: CreateContext,
  repository: Repository,
  project: ProjectRow,
  branch: string,
  base_ref: string,
): Promise<string | null> {
  const cut = ensureBranch(repository, project, { branch, base_ref }).then(
    () => null,
    (error: unknown) => {
      ctx.log.warn({ err: error, session_id: branch }, 'the session branch was not cut at once')
      return 'repository_slow'
    },
  )
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('repository_slow'), limits.branchCutMs)
  })
  try {
    return await Promise.race([cut, late])
  } finally {
    clearTimeout(timer)
  }
}

interface NewSession {
  readonly project: ProjectRow
  readonly session_id: string
  readonly base_ref: string
  readonly agent: ResolvedAgent
  readonly requested: ReturnType<typeof requestedSession>
  readonly request_hash: string
  readonly input: CreateSessionInput
}

/** The creator's list narrows what the agent may have; it never widens it. */
function withAgentSecrets({ agent, requested }: NewSession): RequestedSession {
  if (agent.secrets === 'all') return requested
  const allowed = agent.secrets
  return { ...requested, secrets: requested.secrets?.filter((name) => allowed.includes(name)) ?? allowed }
}

/** False when another request took the idempotency key first. */
async function insertSession(ctx: CreateContext, session: NewSession): Promise<boolean> {
  const { project, session_id, input, agent } = session
  const { body, idempotency_key } = input
  const created_by = requireActor(ctx)
  const now = ctx.now()
  const { project_id, account_id } = project
  return ctx.db.transaction().execute(async (tx) => {
    if (idempotency_key !== undefined) {
      const { request_hash } = session
      if (
        !(await sessions.takeIdempotencyKey(tx, {
          idempotency_key,
          project_id,
          session_id,
          request_hash,
          created_at: now,
        }))
      ) {
        return false
      }
    }
    await requireRoom(tx, ctx.settings, account_id)
    if (await sessions.findById(tx, session_id)) {
      throw new ServiceError('SESSION_ID_TAKEN', 'There is already a session with this session_id')
    }
    await sessions.insert(tx, {
      session_id,
      account_id,
      project_id,
      branch_name: session_id,
      base_ref: session.base_ref,
      status: 'provisioning',
      stop_reason: null,
      failure: null,
      agent_name: agent.agent_name,
      agent_grant: JSON.stringify(agent.grant),
      merge_granted: agent.merge_granted,
      model: body.model ?? null,
      name: body.name ?? null,
      metadata: jsonb(body.metadata ?? {}),
      origin: ctx.principal.type === 'user' ? 'user' : 'api',
      origin_ref: body.origin_ref ?? null,
      labels: body.labels ?? [],
      parent_session_id: ctx.principal.type === 'session' ? ctx.principal.session_id : null,
      requested: jsonb(withAgentSecrets(session)),
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
    await sessionEvents.append(tx, session_id, [{ type: 'status', at: now, payload }])
    if (body.initial_prompt !== undefined) {
      const text = body.initial_prompt
      const prompt_id = ctx.newId()
      await sessionPrompts.insert(tx, {
        prompt_id,
        session_id,
        text,
        source: 'initial',
        agent: null,
        model: null,
        error: null,
        dedupe_key: 'initial',
        created_by,
        created_at: now,
        updated_at: now,
      })
      await sessionEvents.append(tx, session_id, [
        { type: 'prompt', at: now, payload: { prompt_id, text, source: 'user' } },
      ])
    }
    return true
  })
}
