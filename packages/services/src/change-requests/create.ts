import { branchName, isBranchName } from '@svc/change-request'
import { type AccessibleProject, audited, type Context, requireActor, requireProject } from '@svc/context'
import { authorship, type ChangeRequestRow, changeRequests, type Db, projects, sessions } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { z } from 'zod'
import { openRepository } from '../projects/repository.ts'
import { mayDrive } from '../sessions/session-access.ts'
import { requireAhead, unknownBase } from './ahead.ts'
import { ofChangeRequest } from './audit.ts'

export interface CreateChangeRequestInput {
  readonly project_id: string
  readonly title: string
  readonly description?: string | undefined
  readonly head_ref: string
  readonly base_ref?: string | undefined
  readonly session_id?: string | undefined
}

type CreateContext = Pick<
  Context,
  'db' | 'principal' | 'repositories' | 'vault' | 'now' | 'newId' | 'trail' | 'signal'
>

export async function createChangeRequest(
  ctx: CreateContext,
  input: CreateChangeRequestInput,
): Promise<ChangeRequestRow> {
  const project = await requireProject(ctx, input.project_id, 'project.gitops.push')
  return openChangeRequest(ctx, project, input)
}

/** Opens it for a caller who is allowed to. Its author comes from the credential, whatever the input names. */
export async function openChangeRequest(
  ctx: CreateContext,
  project: AccessibleProject,
  input: CreateChangeRequestInput,
): Promise<ChangeRequestRow> {
  const { principal } = ctx
  const { project_id, account_id } = project
  const head_ref = branchName(input.head_ref)
  const base_ref = branchName(input.base_ref ?? project.default_branch)
  if (head_ref === base_ref)
    throw new ServiceError(
      'CR_SAME_REF',
      'head_ref and base_ref are the same branch; give the branch with the change as head_ref',
    )
  if (!isBranchName(base_ref)) throw unknownBase(base_ref)

  const tips = await requireAhead(await openRepository(ctx, project), { head_ref, base_ref })
  const wanted = await originOf(ctx, project, input.session_id)
  const now = ctx.now()
  const cr_id = ctx.newId()
  const entry = ofChangeRequest('createChangeRequest', { account_id, project_id, cr_id })
  return audited(ctx, entry, async (tx) => {
    // The number is taken first: the project's row then holds off a caller who opens the same pair meanwhile.
    const number = await projects.takeNumber(tx, project_id)
    await refuseSecond(tx, { project_id, head_ref, base_ref })
    const row = await changeRequests.insert(tx, {
      cr_id,
      account_id,
      project_id,
      number,
      title: input.title,
      description: input.description ?? '',
      base_ref,
      head_ref,
      status: 'open',
      ...tips,
      origin_session_id: await stillThere(tx, wanted),
      created_by: requireActor(ctx),
      merged_at: null,
      merged_by: null,
      merge_commit_sha: null,
      closed_at: null,
      closed_by: null,
      created_at: now,
      updated_at: now,
    })
    if (principal.type === 'session') await authorship.opened(tx, { cr_id, session_id: principal.session_id })
    return row
  })
}

/** One open change request per pair of branches. */
export async function refuseSecond(
  db: Db,
  pair: { project_id: string; head_ref: string; base_ref: string },
): Promise<void> {
  const open = await changeRequests.findOpenPair(db, pair)
  if (!open) return
  const { cr_id, number } = open
  throw new ServiceError(
    'CR_ALREADY_OPEN',
    `Change request #${number} is already open for these branches; push to its head branch, or close it first`,
    {
      cr_id,
      number,
    },
  )
}

/**
 * The session that the input names as origin. Feedback goes to its agent, so only a caller who may drive it may name it.
 * An unknown one is dropped; a session's own token names its session by itself.
 */
async function originOf(
  ctx: Pick<Context, 'db' | 'principal'>,
  project: AccessibleProject,
  session_id: string | undefined,
): Promise<string | null> {
  const { principal } = ctx
  const wanted = session_id ?? (principal.type === 'session' ? principal.session_id : undefined)
  if (wanted === undefined || !z.uuid().safeParse(wanted).success) return null
  const session = await sessions.find(ctx.db, { project_id: project.project_id, session_id: wanted })
  if (!session) return null
  if (principal.type === 'session' ? principal.session_id === wanted : mayDrive(ctx, { project, session }))
    return wanted
  throw new ServiceError(
    'forbidden',
    principal.type === 'session'
      ? 'A session names only itself in session_id; leave it out'
      : 'session_id names a session whose agent you may not speak to; leave it out, or ask its owner to open the change request',
    { action: 'project.session.start' },
  )
}

/** A session that is being removed takes its links away while it holds its row. */
async function stillThere(tx: Db, session_id: string | null): Promise<string | null> {
  if (session_id === null) return null
  const session = await sessions.lock(tx, session_id)
  return session === undefined || session.deleted_at !== null ? null : session_id
}
