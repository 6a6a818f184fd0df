import { branchName, isBranchName } from '@svc/change-request'
import { type ChangeRequestRow, changeRequests, type Db, projects, sessions } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { z } from 'zod'
import { requireActor, requireProject } from '../access/require.ts'
import { audited } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { openRepository } from '../projects/repository.ts'
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

export async function createChangeRequest(
  ctx: Pick<Context, 'db' | 'principal' | 'repositories' | 'vault' | 'now' | 'newId' | 'trail' | 'signal'>,
  input: CreateChangeRequestInput,
): Promise<ChangeRequestRow> {
  const { project_id } = input
  const project = await requireProject(ctx, project_id, 'project.gitops.push')
  const head_ref = branchName(input.head_ref)
  const base_ref = branchName(input.base_ref ?? project.default_branch)
  if (head_ref === base_ref)
    throw new ServiceError('CR_SAME_REF', 'head_ref and base_ref are the same branch')
  if (!isBranchName(base_ref)) throw unknownBase(base_ref)

  const tips = await requireAhead(await openRepository(ctx, project), { head_ref, base_ref })
  const origin_session_id = await knownSession(ctx, project_id, input.session_id)
  const now = ctx.now()
  const { account_id } = project
  const cr_id = ctx.newId()
  const entry = ofChangeRequest('createChangeRequest', { account_id, project_id, cr_id })
  return audited(ctx, entry, async (tx) => {
    // The number is taken first: the project's row then holds off whoever would open the same pair meanwhile.
    const number = await projects.takeNumber(tx, project_id)
    await refuseSecond(tx, { project_id, head_ref, base_ref })
    return changeRequests.insert(tx, {
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
      origin_session_id,
      created_by: requireActor(ctx),
      merged_at: null,
      merged_by: null,
      merge_commit_sha: null,
      closed_at: null,
      closed_by: null,
      created_at: now,
      updated_at: now,
    })
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
  throw new ServiceError('CR_ALREADY_OPEN', `Change request #${number} is already open for these branches`, {
    cr_id,
    number,
  })
}

/** An unknown session is dropped; a session's own token names its session by itself. */
async function knownSession(
  ctx: Pick<Context, 'db' | 'principal'>,
  project_id: string,
  session_id: string | undefined,
): Promise<string | null> {
  const wanted = session_id ?? (ctx.principal.type === 'session' ? ctx.principal.session_id : undefined)
  if (!z.uuid().safeParse(wanted).success || wanted === undefined) return null
  const session = await sessions.find(ctx.db, { project_id, session_id: wanted })
  return session?.session_id ?? null
}
