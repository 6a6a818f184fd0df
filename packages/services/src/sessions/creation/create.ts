import { branchName } from '@svc/change-request'
import { type Context, recordAudit, requireActor, requireProject, requireStartsOpen } from '@svc/context'
import { limits } from '@svc/contract'
import { type Db, type ProjectRow, type RequestedSession, sessionCreates, sessions } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { type Repository, resolveBranch } from '@svc/git'
import { type Issue, type Manifest, noWishes } from '@svc/manifest'
import { isOwnersOwn, type SessionOrigin } from '@svc/session'
import { settled } from '@svc/timing'
import { harnessRefusal } from '../../harnesses/harness-refusal.ts'
import { requestedModel } from '../../models/requested-model.ts'
import { resolveAgent } from '../../projects/agent-of.ts'
import { connectionsRefusal, requireConnectors, resolveConnectors } from '../../projects/connectors-of.ts'
import { runsOn } from '../../projects/runs-on.ts'
import { agentWishesAt, readingAt } from '../../projects/read-manifest.ts'
import { openRepository } from '../../projects/repository.ts'
import { declaredTemplate, wishOf } from '../../sandboxes/provision/template.ts'
import { traceStep } from '../../sandboxes/trace-step.ts'
import { ofSession } from '../audit.ts'
import { baseTip, ensureBranch } from './branch.ts'
import { hasRoom, requireRoom } from './cap.ts'
import { checkRequested } from './check-requested.ts'
import { checkIdempotencyKey, type CreateSessionBody, requestedSession } from './create-input.ts'
import { getSessionRow } from '../find-session.ts'
import { type KeyedRequest, keyedRequest, replay } from './idempotency.ts'
import { insertSession, type NewSession } from './insert-session.ts'
import { askingSession, narrowedBy } from './power.ts'
import { presentSession } from '../present.ts'
import { sessionRecord } from './session-record.ts'

export interface CreateSessionInput {
  readonly project_id: string
  readonly idempotency_key?: string | undefined
  /** Answers before the branch is cut, and waits for room where an interactive create is refused. */
  readonly respond_async: boolean
  readonly body: CreateSessionBody
  /** The origin, where the principal does not tell it. A trigger's session waits for room. */
  readonly origin?: SessionOrigin | undefined
}

export interface QueuedSession {
  readonly kind: 'queued'
  readonly status: 'queued'
  readonly command_id: string
  readonly session_id: string
  readonly reason: string
}

export type CreatedSession =
  { readonly kind: 'created'; readonly session: ReturnType<typeof presentSession> } | QueuedSession

type CreateContext = Pick<
  Context,
  | 'db'
  | 'principal'
  | 'repositories'
  | 'vault'
  | 'settings'
  | 'maintenance'
  | 'template_refusal'
  | 'session_models'
  | 'session_connections'
  | 'traceparent'
  | 'enqueue'
  | 'now'
  | 'newId'
  | 'trail'
  | 'signal'
  | 'log'
>

/**
 * Writes the session as `provisioning`, cuts its branch and asks for its sandbox. The row comes first: steps that a
 * dead process left undone are owed, and the sandbox-worker does them. A create that may wait is kept in order until
 * its account has room; its session does not exist before.
 */
export async function createSession(ctx: CreateContext, input: CreateSessionInput): Promise<CreatedSession> {
  const { project_id, idempotency_key, body } = input
  if (idempotency_key !== undefined) checkIdempotencyKey(idempotency_key)
  const requested = requestedSession(body)
  const project = await requireProject(ctx, project_id, 'project.session.start')
  if (Object.keys(requested.connector_bindings ?? {}).length > 0)
    await requireProject(ctx, project_id, 'project.session.bindings.write')

  const session_id = body.session_id ?? ctx.newId()
  traceStep(ctx, session_id, 'asked')
  const created_by = requireActor(ctx)
  const keyed =
    idempotency_key === undefined
      ? null
      : keyedRequest({ idempotency_key, project_id, created_by }, body, requested)
  const again = async () => (keyed === null ? null : replay(ctx, keyed))
  const earlier = await again()
  if (earlier) return earlier
  requireStartsOpen(ctx)

  const base_ref = branchName(body.base_ref ?? project.default_branch)
  const repository = await openRepository(ctx, project)
  await baseTip(repository, project, base_ref)
  const { tip, manifest, issues } = await defaultManifest(repository, project)
  const agent = resolveAgent(manifest, body.agent_name, issues)
  const wishes = tip === null ? noWishes : await agentWishesAt(repository, tip, manifest, agent.agent_name)
  const runs = runsOn(manifest, wishes, body.harness ?? null)
  const { account_id } = project
  await checkRequested(ctx, { manifest, project_id, account_id, user_id: created_by }, requested)

  const { agent_name } = agent
  const starter = await askingSession(ctx, ctx.db)
  const { connectors, required } = resolveConnectors(manifest, agent_name, requested.connector_bindings)
  const power = narrowedBy(starter, { ...agent, connectors })
  if (starter !== null) requireConnectors(agent_name, { connectors: power.connectors, required })
  const origin = input.origin ?? (ctx.principal.type === 'user' ? 'user' : 'api')
  const owner = ctx.principal.type === 'user' && isOwnersOwn(origin) ? created_by : null
  const unconnected = await connectionsRefusal(ctx, ctx.db, agent_name, {
    ...{ project_id, connectors: power.connectors, required, owner },
    in_person: origin === 'user',
    declared: manifest?.connectors ?? [],
  })
  if (unconnected !== null) throw unconnected
  requireTemplate(ctx, manifest, agent_name, requested)
  if (runs.harness !== undefined) {
    const { provider } = requested
    const refusal = await harnessRefusal(ctx, ctx.db, { project_id, owner, provider, harness: runs.harness })
    if (refusal !== null) throw refusal
  }
  const model = await requestedModel(ctx, {
    project,
    agent_name,
    of_agent: wishes.model,
    session_id,
    asked: body.model,
  })
  const session = sessionRecord({
    base_ref,
    model,
    name: body.name ?? null,
    metadata: body.metadata ?? {},
    origin,
    origin_ref: body.origin_ref ?? null,
    labels: body.labels,
    agent: { ...agent, ...runs },
    power,
    starter,
    requested,
  })
  const created = {
    session_id,
    account_id: project.account_id,
    project_id,
    created_by,
    session,
    initial_prompt: body.initial_prompt ?? null,
  }
  const outcome = await writeSession(ctx, created, { keyed, may_wait: mayWait(input) })
  if (outcome === 'key_taken') {
    const winner = await again()
    if (winner) return winner
    throw new ServiceError(
      'IDEMPOTENCY_KEY_CONFLICT',
      'This Idempotency-Key is being used by another request; wait for its answer, or use a new key',
    )
  }
  if (outcome !== 'created') return outcome
  traceStep(ctx, session_id, 'written')
  const [slow, row] = await Promise.all([
    input.respond_async ? 'respond_async' : cutInTime(ctx, repository, project, session_id, base_ref),
    getSessionRow(ctx, { project_id, session_id }),
    ctx
      .enqueue('session', 'sandbox.provision', { session_id })
      .then(() => traceStep(ctx, session_id, 'enqueued')),
  ])
  traceStep(ctx, session_id, 'cut')
  if (slow !== null) return queued(session_id, slow)
  return { kind: 'created', session: presentSession(row) }
}

/** True when no caller needs the session at once. */
function mayWait({ respond_async, origin }: CreateSessionInput): boolean {
  return respond_async || origin === 'trigger'
}

function queued(session_id: string, reason: string, command_id = session_id): QueuedSession {
  return { kind: 'queued', status: 'queued', command_id, session_id, reason }
}

interface WriteOptions {
  readonly keyed: KeyedRequest | null
  readonly may_wait: boolean
}

async function writeSession(
  ctx: Pick<
    Context,
    'db' | 'principal' | 'settings' | 'session_connections' | 'now' | 'newId' | 'trail' | 'traceparent'
  >,
  created: NewSession,
  options: WriteOptions,
): Promise<'created' | 'key_taken' | QueuedSession> {
  const { session_id, account_id } = created
  const { keyed, may_wait } = options
  return ctx.db.transaction().execute(async (tx) => {
    if (keyed !== null) {
      const { whole_hash: _, ...key } = keyed
      const field_hashes = JSON.stringify(key.field_hashes)
      const row = { ...key, field_hashes, session_id, created_at: ctx.now() }
      if (!(await sessions.takeIdempotencyKey(tx, row))) return 'key_taken'
    }
    if (may_wait && !(await hasRoom(tx, ctx.settings, account_id))) {
      const waiting = await waitForRoom(ctx, tx, created)
      await recordAudit(ctx, tx, ofSession('createSession', created))
      return waiting
    }
    await requireRoom(tx, ctx.settings, account_id)
    await insertSession(ctx, tx, created)
    await recordAudit(ctx, tx, ofSession('createSession', created))
    return 'created'
  })
}

async function waitForRoom(
  ctx: Pick<Context, 'now' | 'newId'>,
  tx: Db,
  { session, ...created }: NewSession,
): Promise<QueuedSession> {
  const { session_id } = created
  const known = [await sessions.findById(tx, session_id), await sessionCreates.findBySession(tx, session_id)]
  if (known.some((row) => row !== undefined)) throw sessionTaken()
  const command_id = ctx.newId()
  await sessionCreates.insert(tx, {
    ...created,
    command_id,
    session: JSON.stringify(session),
    created_at: ctx.now(),
  })
  return queued(session_id, 'session_limit', command_id)
}

function sessionTaken(): ServiceError {
  return new ServiceError(
    'SESSION_ID_TAKEN',
    'There is already a session with this session_id; leave it out, or give a new one',
  )
}

/** Refuses a session whose sandbox could not be what its template says. */
function requireTemplate(
  { template_refusal }: Pick<Context, 'template_refusal'>,
  manifest: Manifest | null,
  agent_name: string,
  { sandbox_slug, provider }: RequestedSession,
): void {
  const declared = manifest && declaredTemplate(manifest, agent_name, sandbox_slug)
  const refusal = declared && template_refusal?.(wishOf(declared), provider)
  if (refusal) throw new ServiceError('SANDBOX_TEMPLATE_REFUSED', refusal)
}

async function defaultManifest(repository: Repository, project: ProjectRow) {
  const tip = await resolveBranch(repository, project.default_branch)
  const reading = tip === null ? null : await readingAt(repository, tip)
  if (reading?.manifest === null) throw unreadable(project.default_branch, reading.issues)
  return { tip, manifest: reading?.manifest ?? null, issues: reading?.issues ?? [] }
}

/** Without a manifest an agent gets what is usual; a manifest that cannot be read may have said less. */
function unreadable(branch: string, issues: readonly Issue[]): ServiceError {
  const [first] = issues
  const what = first === undefined ? '' : `: ${[first.path, first.message].filter(Boolean).join(': ')}`
  const message = `The manifest on ${branch} cannot be read, so what an agent may do${what} is unknown. Fix it there first`
  return new ServiceError('invalid_request', message, { issues: [{ path: '', message }] })
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
  return (await settled(limits.branchCutMs, cut)) ? cut : 'repository_slow'
}
